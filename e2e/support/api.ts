import { expect } from "@playwright/test";
import { queryOf } from "../../lib/api/client/address";
import type {
  CompensationResolutionRequest,
  RunActRequest,
  StartRunRequest,
  StepResolutionRequest,
} from "../../lib/api/contract/requests";
import type {
  OverviewResponse,
  RunListResponse,
  WorkerListResponse,
  WorkflowListResponse,
} from "../../lib/api/contract/responses";
import type { Run, Step } from "../../lib/api/contract/run";
import type { RunsAsked } from "../../lib/api/hooks/queries";
import type { RunStatus } from "../../lib/engine/runs/run";
import { BASE, headersOf, type Person } from "./people";

export interface Answer<Body> {
  status: number;
  body: Body;
}

/** Asks the API as the operator's page would; refusals are answers too. */
export const ask = <Body = unknown>(method: "GET" | "POST", path: string, body?: unknown): Promise<Answer<Body>> =>
  askAs("operator", method, path, body);

export async function askAs<Body = unknown>(
  person: Person,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
): Promise<Answer<Body>> {
  const response = await fetch(BASE + path, {
    method,
    headers: { ...(await headersOf(person)), ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

async function done<Body>(asked: Promise<Answer<Body>>): Promise<Body> {
  const { status, body } = await asked;
  if (status >= 400) throw new Error(`The API answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

const post = (path: string, body: unknown) => done(ask<Run>("POST", path, body));

/** A spec's requests beside the screen: to set its scene, and to verify what the screen says. */
export const handrail = {
  start: (request: StartRunRequest) => post("/runs", request),
  run: (runId: string) => done(ask<Run>("GET", `/runs/${runId}`)),
  runs: (filter: RunsAsked & { limit?: number }) => done(ask<RunListResponse>("GET", `/runs${queryOf(filter)}`)),
  overview: () => done(ask<OverviewResponse>("GET", "/overview")),
  workflows: () => done(ask<WorkflowListResponse>("GET", "/workflows")),
  workers: () => done(ask<WorkerListResponse>("GET", "/workers")),
  rerun: (runId: string, request: RunActRequest<"rerun">) => post(`/runs/${runId}/reruns`, request),
  cancel: (runId: string, request: RunActRequest<"cancel">) => post(`/runs/${runId}/cancellation`, request),
  compensate: (runId: string, request: RunActRequest<"compensate">) => post(`/runs/${runId}/compensations`, request),
  settle: (runId: string, step: string, request: StepResolutionRequest) =>
    post(`/runs/${runId}/steps/${step}/resolution`, request),
  markCompensated: (runId: string, step: string, request: CompensationResolutionRequest) =>
    post(`/runs/${runId}/compensations/${step}/resolution`, request),
};

/** Long enough for four attempts with their delays on a busy machine. */
const PATIENCE = { timeout: 30_000, intervals: [50, 100, 200] };

/** Waits until the run has the status, and gives the run as it then was. */
export async function untilRun(runId: string, status: RunStatus): Promise<Run> {
  let run: Run | undefined;
  await expect
    .poll(async () => {
      run = await handrail.run(runId);
      return run.status;
    }, PATIENCE)
    .toBe(status);
  return run as Run;
}

/** Waits until the run needs attention for this reason. */
export async function untilAttention(runId: string, attention: NonNullable<Run["attention"]>): Promise<Run> {
  let run: Run | undefined;
  await expect
    .poll(async () => {
      run = await handrail.run(runId);
      return run.attention;
    }, PATIENCE)
    .toBe(attention);
  return run as Run;
}

/** The current record of the step. */
export function stepOf(run: Run, name: string): Step {
  const step = run.steps.find((one) => one.name === name && one.supersededBy === null);
  if (!step) throw new Error(`Run ${run.id} has no step ${name}.`);
  return step;
}
