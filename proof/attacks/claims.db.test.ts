import { afterAll, beforeAll, it } from "vitest";
import { CLAIM_HEADER } from "../../lib/api/contract/remote";
import { aRun } from "../../lib/testing/rows/a-run";
import { addressOf, ENDPOINTS, NOBODY } from "./fields";
import { OWN, REASON, type Scene, theScene } from "./scene";
import { attackTable, unless } from "./table";

/** A run that a worker over HTTP has claimed. */
interface Claim {
  id: string;
  epoch: number;
  secret: string;
}

const OF_RUN = ENDPOINTS.filter(({ path }) => path.startsWith("/v1/worker/runs/"));
const OF_WORKER = ENDPOINTS.filter(({ path }) => path.includes("{workerId}"));

const GUARDS = { masked: ["iban"], fourEyes: ["cancel"] };
const error = { name: "Error", message: "forged" };
const completed = { outcome: "completed", output: { id: "forged" } };
const undo = { generation: 1, attempt: 1 };
/** Every message about a claim, by the end of the endpoint's path. */
const BODIES: Record<string, object[]> = {
  attempts: [
    { kind: "step" },
    { kind: "step", effect: "once" },
    { kind: "sleep", forMs: 0 },
    { kind: "event", event: "paid" },
    { kind: "approval", question: "May I?" },
  ],
  "steps/{step}/outcome": [
    { attempt: 1, ...completed },
    { attempt: 1, outcome: "failed", error, retryable: false },
  ],
  undos: [{}],
  "undos/{step}/outcome": [
    { ...undo, outcome: "completed" },
    { ...undo, outcome: "failed", error },
  ],
  handback: [{}, { waitsFor: ["book"] }],
  end: [completed, { outcome: "failed", error }],
};

let scene: Scene;
/** Tokens with `worker.work` alone, for every workflow. */
let [mine, theirs]: [string, string] = ["", ""];
/** Bound to one workflow, which none of these runs belongs to. */
let bound: string;
let [myWorker, theirWorker]: [string, string] = ["", ""];
let claims: Record<"mine" | "theirs" | "theirUndo" | "myEnded" | "theirEnded", Claim>;
let inProcess: Record<"running" | "compensating" | "completed", string>;
let before: string;

beforeAll(async () => {
  scene = await theScene();
  mine = await scene.mint(["worker.work"]);
  theirs = await scene.mint(["worker.work"]);
  bound = await scene.mint(["worker.work"], { workflows: [OWN] });
  myWorker = await register(mine, "mine");
  theirWorker = await register(theirs, "theirs");
  claims = {
    mine: await claim(mine, "mine", myWorker),
    theirs: await claim(theirs, "theirs", theirWorker),
    theirUndo: await compensating(),
    myEnded: await ended(mine, "mine", myWorker),
    theirEnded: await ended(theirs, "theirs", theirWorker),
  };
  inProcess = {
    running: await aRun(scene.db).runningAt("charge-payment"),
    compensating: await aRun(scene.db).compensatingInHand(),
    completed: await aRun(scene.db).completed(),
  };
  before = await state();
});
afterAll(() => scene.close());

async function register(token: string, name: string): Promise<string> {
  const workflows = [{ name, onFailure: "compensate", ...GUARDS }];
  const body = { name: "w", language: "l", leaseMs: 600_000, workflows };
  return (await scene.as(token, "POST", "/v1/worker/registrations", { body })).body.workerId;
}

/** With a step that has begun. */
async function claim(token: string, workflow: string, workerId: string): Promise<Claim> {
  await scene.boot("POST", "/v1/runs", { workflow, input: {} });
  const taken = await claimNext(token, workerId);
  await say(token, taken, "steps/book/attempts", { kind: "step" });
  return taken;
}

async function claimNext(token: string, workerId: string): Promise<Claim> {
  const path = `/v1/worker/registrations/${workerId}/claims`;
  const { body } = await scene.as(token, "POST", path, { body: { waitMs: 20_000 } });
  return body.runs[0];
}

/** Throws when the server refuses: these calls are the owner's. */
async function say(token: string, { id, epoch, secret }: Claim, what: string, body: object): Promise<void> {
  const path = `/v1/worker/runs/${id}/${what}`;
  const headers = { [CLAIM_HEADER]: secret };
  const answer = await scene.as(token, "POST", path, { body: { epoch, ...body }, headers });
  if (answer.status !== 200) throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

async function ended(token: string, workflow: string, workerId: string): Promise<Claim> {
  const taken = await claim(token, workflow, workerId);
  await say(token, taken, "steps/book/outcome", { attempt: 1, outcome: "completed", output: 1 });
  await say(token, taken, "end", { outcome: "completed", output: 1 });
  return taken;
}

/** Its compensation has begun. */
async function compensating(): Promise<Claim> {
  const taken = await claim(theirs, "theirs", theirWorker);
  await say(theirs, taken, "steps/book/outcome", {
    attempt: 1,
    outcome: "completed",
    output: 1,
    compensate: "automatic",
  });
  await say(theirs, taken, "end", { outcome: "failed", error });
  const again = await claimNext(theirs, theirWorker);
  await say(theirs, again, "undos", {});
  return again;
}

/** Everything that these attackers must not change. */
async function state(): Promise<string> {
  const tables = [
    "select id, revision, epoch, status, worker_id, output from handrail.run order by id",
    "select run_id, name, status, attempt, output from handrail.step order by run_id, name",
    "select run_id, step, status from handrail.compensation order by run_id, step",
    "select id, stopped_at, stopping_at, lease_expires_at from handrail.worker where name <> 'intruder' order by id",
  ];
  return JSON.stringify(await Promise.all(tables.map((sql) => scene.rows(sql))));
}

interface Saying {
  label: string;
  token: string;
  runId: string;
  epoch: number;
  secret: string | undefined;
}

/** Every message about this claim, by this caller. */
const questions = (said: Saying) =>
  OF_RUN.flatMap((endpoint) => {
    const [, bodies] = Object.entries(BODIES).find(([path]) => endpoint.path.endsWith(path)) ?? [];
    if (!bodies) throw new Error(`${endpoint.path} is not attacked: give it bodies.`);
    return bodies.map((body) => ({ ...said, endpoint, body }));
  });

async function answerTo({ token, runId, epoch, secret, endpoint, body }: ReturnType<typeof questions>[number]) {
  const headers: Record<string, string> = secret === undefined ? {} : { [CLAIM_HEADER]: secret };
  const path = addressOf(endpoint, { runId, step: "book" });
  const { status, body: told } = await scene.as(token, "POST", path, { body: { epoch, ...body }, headers });
  const { requestId: _, ...refusal } = told.error ?? {};
  return { status, text: JSON.stringify(told.error ? refusal : told).replaceAll(runId, "RUN") };
}

const WRONG = "A".repeat(43);
const holds = attackTable("claims");

it("what another worker, a worker of this code or nobody holds: refused, all in the same words", async () => {
  const secrets = { none: undefined, wrong: WRONG, "my other claim's": claims.mine.secret };
  const foreign: [string, string, number][] = [
    ["a run that is not there", NOBODY, 1],
    ["another's claim", claims.theirs.id, claims.theirs.epoch],
    ["another's undo", claims.theirUndo.id, claims.theirUndo.epoch],
    ["another's ended claim", claims.theirEnded.id, claims.theirEnded.epoch],
    ["a run in process", inProcess.running, 1],
    ["an undo in process", inProcess.compensating, 1],
    ["a run that ended in process", inProcess.completed, 1],
  ];
  const rows = foreign.flatMap(([what, runId, epoch]) =>
    Object.entries(secrets).flatMap(([which, secret]) =>
      questions({ label: `${what}, secret ${which}`, token: mine, runId, epoch, secret }),
    ),
  );
  const [first] = rows;
  const same = await answerTo(first as (typeof rows)[number]);
  await holds(rows, async (row) => {
    const { status, text } = await answerTo(row);
    const alike = status === 409 && text.includes("claim_lost") && text === same.text;
    return unless(alike, `${row.label}: ${row.endpoint.path}`, status + text);
  });
});

it("another's claim with the very secret of it, by another credential", async () => {
  const rows = [claims.theirs, claims.theirUndo, claims.theirEnded].flatMap(({ id, epoch, secret }) =>
    [mine, bound].flatMap((token) => questions({ label: "stolen", token, runId: id, epoch, secret })),
  );
  await holds(rows, async (row) => {
    const { status, text } = await answerTo(row);
    const wanted = row.token === mine ? 409 : 403;
    return unless(status === wanted, `${row.endpoint.path}`, status + text);
  });
});

it("one's own claim, or one's own ended one, without its secret or with another", async () => {
  const rows = [claims.mine, claims.myEnded].flatMap(({ id, epoch }) =>
    [undefined, WRONG, "", claims.theirs.secret, claims.mine.secret.slice(0, -1), `${claims.mine.secret}A`].flatMap(
      (secret) => questions({ label: String(secret), token: mine, runId: id, epoch, secret }),
    ),
  );
  await holds(rows, async (row) => {
    const { status, text } = await answerTo(row);
    return unless(status === 409 && text.includes("claim_lost"), `${row.endpoint.path} ${row.label}`, status + text);
  });
});

it("one's own ended claim, with its secret: nothing but the end that it had", async () => {
  const { id, epoch, secret } = claims.myEnded;
  const rows = questions({ label: "ended", token: mine, runId: id, epoch, secret });
  await holds(rows, async (row) => {
    const { status, text } = await answerTo(row);
    const mayHear = /(handback|end|runs\/\{runId\}\/undos)$/.test(row.endpoint.path) && text.includes("completed");
    return unless(mayHear ? status === 200 : status === 409, row.endpoint.path, status + text);
  });
});

it("a kept answer is not given to who knows its Idempotency-Key and not the secret", async () => {
  const { id, epoch, secret } = claims.mine;
  const ask = (token: string, headers: Record<string, string>) =>
    scene.as(token, "POST", `/v1/worker/runs/${id}/steps/book/attempts`, {
      body: { epoch, kind: "step" },
      headers: { "idempotency-key": "guessed", ...headers },
    });
  const own = await ask(mine, { [CLAIM_HEADER]: secret });
  await holds(["owner"], async () => unless(own.status === 200 && own.body.next === "go", "owner", own.body));
  const others: [string, string, Record<string, string>][] = [
    ["none", mine, {}],
    ["wrong", mine, { [CLAIM_HEADER]: WRONG }],
    ["another's", theirs, { [CLAIM_HEADER]: claims.theirs.secret }],
  ];
  await holds(others, async ([label, token, headers]) => {
    const { status, body } = await ask(token, headers);
    return unless(status === 409 && !JSON.stringify(body).includes("idempotencyKey"), label, body);
  });
});

it("a caller of other workflows gets the same answer for a run or worker that exists and one that does not", async () => {
  const runs = [NOBODY, claims.theirs.id, claims.theirEnded.id, inProcess.running, scene.foreign.completed];
  const rows = runs.flatMap((runId) => questions({ label: runId, token: bound, runId, epoch: 1, secret: WRONG }));
  const same = await answerTo(rows[0] as (typeof rows)[number]);
  await holds(rows, async (row) => {
    const { status, text } = await answerTo(row);
    return unless(status === 403 && text === same.text, `${row.endpoint.path} of ${row.label}`, status + text);
  });
  const texts = new Set<string>();
  const workers = [theirWorker, String(scene.foreign.workerId), "999999"];
  const calls = workers.flatMap((workerId) => OF_WORKER.map((endpoint) => ({ workerId, endpoint })));
  await holds(calls, async ({ workerId, endpoint }) => {
    const { status, body } = await scene.as(bound, "POST", addressOf(endpoint, { workerId }), { body: {} });
    texts.add(`${status} ${body.error?.message}`);
    return unless(status === 403 && texts.size === 1, `${endpoint.path} of ${workerId}`, [...texts]);
  });
});

it("beats, claims and goodbyes under another's worker, or one of this code", async () => {
  const [{ id: ofThisCode }] = await scene.rows("select id from handrail.worker where language is null limit 1");
  const workers = [theirWorker, String(ofThisCode), "999999"];
  const rows = workers.flatMap((workerId) => OF_WORKER.map((endpoint) => ({ workerId, endpoint })));
  await holds(rows, async ({ workerId, endpoint }) => {
    const { status, body } = await scene.as(mine, "POST", addressOf(endpoint, { workerId }), { body: {} });
    const alike = status === 404 && body.error.code === "unknown_worker";
    return unless(alike, `${endpoint.path} of ${workerId}`, body);
  });
});

it("a registration takes no mask and no demand of another's away, nor a name of Handrail's own", async () => {
  const send = async (workflow: object) => {
    const body = { name: "intruder", language: "l", workflows: [workflow] };
    return (await scene.as(mine, "POST", "/v1/worker/registrations", { body })).status;
  };
  const guards = "select masked, four_eyes as \"fourEyes\" from handrail.workflow where name = 'theirs'";
  await holds([{}, { masked: [] }, { fourEyes: [] }, { masked: ["card"], fourEyes: ["waive"] }], async (given) => {
    const status = await send({ name: "theirs", ...given });
    const [now] = await scene.rows(guards);
    const kept = now.masked.includes("iban") && now.fourEyes.includes("cancel");
    return unless(status === 201 && kept, JSON.stringify(given), now);
  });
  const audited = await scene.rows(
    "select after from handrail.audit where act = 'change_guards' and workflow = 'theirs'",
  );
  const kept = JSON.stringify(audited.map(({ after: { masked, fourEyes } }) => [masked, fourEyes]));
  const wanted = '[[["iban","card"],["cancel","waive"]]]';
  await holds(["audit"], async () => unless(kept === wanted, "audit", kept));
  await holds(["handrail.operation", "handrail.delivery", "handrail.x", "handrail."], async (name) => {
    const status = await send({ name });
    return unless(status === 422, name, status);
  });
});

it("who manages access grants nothing that they may not do, unless they are an admin", async () => {
  const [manages, admin] = [await scene.mint(["viewer", "access.manage"]), await scene.mint(["admin"])];
  const apart = ["payload.read", "worker.work", "worker.drive"];
  const token = (scopes: string[]) => ({ name: "t", scopes, expiresInDays: 1, reason: REASON });
  const person = (name: string) => ({ name, role: "viewer", payloadRead: true, reason: REASON });
  const sends: [string, string, object, number][] = [
    ...apart.map((scope): [string, string, object, number] => [manages, "/v1/tokens", token([scope]), 403]),
    [manages, "/v1/tokens", token(["viewer", "payload.read"]), 403],
    [manages, "/v1/people/invitations", person("looks-at-all"), 403],
    [manages, "/v1/tokens", token(["viewer"]), 201],
    ...apart.map((scope): [string, string, object, number] => [admin, "/v1/tokens", token([scope]), 201]),
    [admin, "/v1/people/invitations", person("looks-by-an-admin"), 201],
  ];
  await holds(sends, async ([who, path, body, wanted]) => {
    const answer = await scene.as(who, "POST", path, { body });
    return unless(answer.status === wanted, JSON.stringify(body), answer.body);
  });
});

it("after all of it, everything is as it was", async () => {
  await holds(["state"], async () => {
    const now = await state();
    return unless(now === before, "changed", now);
  });
});
