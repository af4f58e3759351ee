import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { CLAIM_HEADER } from "../../api/contract/remote";
import type { Endpoint } from "../../api/endpoint";
import * as endpoints from "../../api/endpoints/remote-workers";
import { addressPart } from "../../engine/values/address-part";
import { type Answered, anApi } from "../api/api";
import { createTestDatabase, type TestDatabase } from "../database/database";
import { historyOf } from "../database/history";
import { expectInvariants } from "../database/invariants";
import { callWitness } from "../database/witness";

type Api = Pick<Awaited<ReturnType<typeof anApi>>, "ask">;
type Body = Record<string, unknown>;

/**
 * A worker over HTTP as a program would write it, one method per request: each returns the answer's body, or fails with
 * its code.
 */
async function aRemoteWorker(api: Api, registration: { workflows: Body[] } & Body) {
  const call = async (
    endpoint: Endpoint,
    params: Record<string, string>,
    body: Body = {},
    key?: string,
    secret?: string,
  ) => {
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name) => addressPart(params[name] as string));
    const headers = {
      ...(key !== undefined && { "idempotency-key": key }),
      ...(secret !== undefined && { [CLAIM_HEADER]: secret }),
    };
    return heldAgainst(endpoint, await api.ask("POST", path, { body, headers }));
  };
  const { workerId } = await call(
    endpoints.registerWorker,
    {},
    { name: "test/1", language: "Test 1", ...registration },
  );
  const run = ({ id: runId, epoch, secret }: { id: string; epoch: number; secret?: string }) => {
    const ofStep = (endpoint: Endpoint) => (step: string, body: Body, key?: string) =>
      call(endpoint, { runId, step }, { epoch, ...body }, key, secret);
    const ofRun = (endpoint: Endpoint) => (body: Body, key?: string) =>
      call(endpoint, { runId }, { epoch, ...body }, key, secret);
    const [ask, record] = [ofStep(endpoints.beginAttempt), ofStep(endpoints.recordStepOutcome)];
    const recordCompensation = ofStep(endpoints.recordCompensationOutcome);
    const [handBack, end] = [ofRun(endpoints.handBackRun), ofRun(endpoints.endRun)];
    const error = { name: "Error", message: "no" };
    return {
      id: runId,
      epoch,
      ask: (step: string, body: Body = {}, key?: string) => ask(step, { kind: "step", ...body }, key),
      record,
      completed: (step: string, attempt: number, output: unknown = null) =>
        record(step, { attempt, outcome: "completed", output }),
      failed: (step: string, attempt: number, more: Body = {}) =>
        record(step, { attempt, outcome: "failed", error, ...more }),
      /** With all its fields, whatever its kind. */
      askFor: ask,
      sleep: (step: string, forMs: number) => ask(step, { kind: "sleep", forMs }),
      handBack: (...waitsFor: string[]) => handBack({ waitsFor }),
      handBackUntil: (inMs: number, ...waitsFor: string[]) => handBack({ waitsFor, inMs }),
      nextCompensation: () => call(endpoints.beginCompensations, { runId }, { epoch }, undefined, secret),
      recordCompensation,
      complete: (output: unknown = null) => end({ outcome: "completed", output }),
      fail: (more: Body = {}, key?: string) => end({ outcome: "failed", error, ...more }, key),
    };
  };
  return {
    id: workerId as string,
    run,
    beat: () => call(endpoints.sendHeartbeat, { workerId }),
    depart: () => call(endpoints.endRegistration, { workerId }),
    claims: async (body: Body = {}, key?: string) => {
      // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever the server said
      const { runs }: { runs: any[] } = await call(endpoints.claimRuns, { workerId }, body, key);
      return runs;
    },
    /** The only run to claim. */
    async claim(body: Body = { waitMs: 20_000 }) {
      const [taken] = await this.claims(body);
      if (!taken) throw new Error("There was nothing to claim.");
      return { ...run(taken), taken };
    },
  };
}

type RemoteWorkerInTests = Awaited<ReturnType<typeof aRemoteWorker>>;
export type RemoteClaimInTests = ReturnType<RemoteWorkerInTests["run"]>;

/** The answer's body, which matches the contract. */
function heldAgainst(endpoint: Endpoint, answer: Answered) {
  const body = okBody(answer);
  expect(Object.keys(endpoint.statuses)).toContain(String(answer.status));
  expect(endpoint.answer.safeParse(body).error?.issues ?? []).toEqual([]);
  return body;
}

function okBody({ status, body }: Answered) {
  if (status < 300) return body;
  throw Object.assign(new Error(body.error.message), { code: body.error.code, status, details: body.error.details });
}

interface RemoteSetup {
  workflow?: Body;
  registration?: Body;
  input?: unknown;
}

/**
 * The API on a database for the test file, and workers over HTTP on it, each with a separate workflow; after each test
 * every invariant is checked. Call it at the top of a file. `through`: the way from the API to the database, such as a
 * proxy.
 */
export function aRemoteScene({ through = async (url: string) => url } = {}) {
  let database: TestDatabase;
  let api: Awaited<ReturnType<typeof anApi>>;
  let names = 0;
  beforeAll(async () => {
    database = await createTestDatabase();
    await callWitness(database.pool);
    process.env.DATABASE_URL = await through(database.url);
    process.env.HANDRAIL_LOG = "silent";
    api = await anApi();
  });
  afterEach(() => expectInvariants(database.pool));
  afterAll(async () => {
    const { shutdown } = await import("../../shutdown");
    await shutdown();
    await database.drop();
  });

  const scene = {
    get database(): TestDatabase {
      return database;
    },
    get api() {
      return api;
    },
    name: () => `remote-${++names}`,
    worker: (workflows: Body[], registration: Body = {}) => aRemoteWorker(api, { workflows, ...registration }),
    async start(workflow: string, input: unknown = {}, more: Body = {}): Promise<string> {
      const { status, body } = await api.ask("POST", "/v1/runs", { body: { workflow, input, ...more } });
      expect(status, JSON.stringify(body)).toBe(201);
      return body.id;
    },
    /** A worker with a separate workflow, and a run of it that it has claimed. */
    async claim({ workflow = {}, registration = {}, input = {} }: RemoteSetup = {}) {
      const name = scene.name();
      const definition = { name, ...workflow };
      const worker = await scene.worker([definition], registration);
      const runId = await scene.start(name, input);
      const peer = () => scene.worker([definition], registration);
      return { name, worker, runId, peer, claim: await worker.claim() };
    },
    history: (runId: string) => historyOf(database.pool, runId),
    /** The step as the run's page shows it. */
    async step(runId: string, name: string) {
      const { body } = await api.ask("GET", `/v1/runs/${runId}`);
      return body.steps.find((step: { name: string }) => step.name === name);
    },
    /** A person's actions on a run. */
    async act(runId: string, what: string, body: Body = {}) {
      return okBody(await api.ask("POST", `/v1/runs/${runId}/${what}`, { body: { reason: "a test", ...body } }));
    },
    /** As after a silence longer than its lease. */
    endLease: (worker: { id: string }) =>
      database.pool.query(
        "update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms' where id = $1",
        [worker.id],
      ),
    /** The peer's heartbeat takes over the silent one's runs. */
    async takeOver(silent: { id: string }, peer: RemoteWorkerInTests) {
      await scene.endLease(silent);
      await peer.beat();
    },
  };
  return scene;
}
