import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { prepareStart } from "../../lib/engine/runs/start";
import { defineWorkflow } from "../../lib/engine/workflows/workflow";
import { workflowNamed } from "../../lib/engine/workflows/workflow-versions";
import { insertRunOnce } from "../../lib/store/runs/start-run";
import { registerWorkflows } from "../../lib/store/workers/workers";
import { bearer } from "../../lib/testing/api/with-sign-in";
import { type Scene, SECRET, twoWorlds } from "./oracle-scene";
import { attackTable, unless } from "./table";

/*
 * A start with a known idempotency key reveals whether its input is the one that the key has started a run with. A
 * debounced start that joins a run reveals that its key has one waiting.
 */

/** Masks nothing. */
const plain = defineWorkflow({ name: "plain", input: z.unknown() }, async () => null);
/** The key of its queues is masked. */
const laned = defineWorkflow(
  {
    name: "laned",
    input: z.object({ email: z.string() }),
    masked: ["email"],
    concurrency: { limit: 1, key: ({ email }) => email },
  },
  async () => null,
);

/** The key of its one live run is masked. */
const single = defineWorkflow(
  {
    name: "single",
    input: z.object({ email: z.string() }),
    masked: ["email"],
    singleton: { key: ({ email }) => email },
  },
  async () => null,
);

let scene: Scene;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  scene = await twoWorlds();
  await registerWorkflows(scene.db, [plain, laned, single]);
  scene.workflows.push(plain, laned, single);
  for (const name of ["starter", "guesser"]) tokens[name] = await scene.mint(["operator"], { name });
  tokens.reader = await scene.mint(["operator", "payload.read"]);
});
afterAll(() => scene.close());

const holds = attackTable("guessed starts");

const masked = { email: SECRET.text, note: "known" };
const named = { password: "x1", note: "known" };
const open = { note: "known" };
/** The run's input, and guesses at its masked values. */
const GUESSED: [input: object, wrong: object][] = [
  [masked, { ...masked, email: "bert.nobody@example.com" }],
  [named, { ...named, password: "x2" }],
];
const ENDS = ["/v1/runs", "/v1/runs/batch"] as const;

async function start(who: string, path: string, key: string, input: object) {
  const run = { input, idempotencyKey: key };
  const body =
    path === "/v1/runs" ? { workflow: scene.guess.workflow, ...run } : { workflow: scene.guess.workflow, runs: [run] };
  const { status, body: answer } = await scene.ask("POST", path, { body, headers: bearer(tokens[who] as string) });
  return {
    status,
    created: answer.runs?.[0].created ?? status === 201,
    error: answer.error && [answer.error.code, answer.error.message, answer.error.details],
  };
}

const isStarted = ({ status, created }: Awaited<ReturnType<typeof start>>) => status < 300 && created;
const isRepeated = ({ status, created }: Awaited<ReturnType<typeof start>>) => status < 300 && !created;

it("a guess of what is masked is answered like one that is wrong, to everybody but readers and who started the run", async () => {
  const rows = ENDS.flatMap((path) =>
    ENDS.flatMap((again) => GUESSED.map(([input, wrong]) => ({ path, again, input, wrong }))),
  );
  await holds(rows, async ({ path, again, input, wrong }) => {
    const key = JSON.stringify([path, again, input]);
    const first = await start("starter", path, key, input);
    const right = await start("guesser", again, key, input);
    const decoy = await start("guesser", again, key, wrong);
    const own = await start("starter", again, key, input);
    const seen = [await start("reader", again, key, input), await start("reader", again, key, wrong)] as const;
    const alike = right.status === 409 && JSON.stringify(right) === JSON.stringify(decoy);
    const answered = isStarted(first) && isRepeated(own) && isRepeated(seen[0]) && seen[1].status === 409;
    return unless(alike && answered, key, { first, right, decoy, own, seen });
  });
});

it("where it is not known who started a run, readers alone are answered; an input that is shown whole is compared", async () => {
  await holds(ENDS, async (path) => {
    const key = `by code ${path}`;
    await start("starter", path, key, masked);
    await scene.database.pool.query("update handrail.run set key_owner = null where idempotency_key = $1", [key]);
    const [right, decoy] = [await start("starter", path, key, masked), await start("starter", path, key, open)];
    const reader = await start("reader", path, key, masked);
    const alike = right.status === 409 && JSON.stringify(right) === JSON.stringify(decoy);
    return unless(alike && isRepeated(reader), key, { right, decoy, reader });
  });
  await holds(ENDS, async (path) => {
    const key = `open ${path}`;
    await start("starter", path, key, open);
    const [right, wrong] = [
      await start("guesser", path, key, open),
      await start("guesser", path, key, { note: "other" }),
    ];
    return unless(isRepeated(right) && wrong.status === 409, key, { right, wrong });
  });
});

const codeOf = (name: string) => workflowNamed(scene.workflows, name);

/** A start that waits for an hour, by a token or by code of the installation. */
async function debounced(who: string, key: string, note: string, workflow = scene.guess.workflow) {
  const input = { note };
  const debounce = { key, delayMs: 3_600_000 };
  if (who === "code") {
    const { id, created } = await insertRunOnce(scene.db, await prepareStart(codeOf(workflow), input, { debounce }));
    return { id, created, answer: "" };
  }
  const { status, body } = await scene.ask("POST", "/v1/runs", {
    body: { workflow, input, debounce },
    headers: bearer(tokens[who] as string),
  });
  const answer = JSON.stringify([status, { ...body, id: "", createdAt: "", waiting: "" }]);
  return {
    id: body.id,
    created: status === 201,
    answer: answer.replaceAll(body.id, "ID").replaceAll(/\d{4}-[^"]+Z/g, "THEN"),
  };
}

const noteOf = async (id: string) =>
  JSON.parse((await scene.database.pool.query("select input from handrail.run where id = $1", [id])).rows[0].input)
    .note;

it("a debounce key that others have a run waiting for is answered like one that nobody has, and leaves their run as it is", async () => {
  await holds(["starter", "reader", "code"], async (who) => {
    const key = `${who} of ${SECRET.text}`;
    const first = await debounced(who, key, "first");
    const guess = await debounced("guesser", key, "guess");
    const decoy = await debounced("guesser", `${who} of bert.nobody@example.com`, "guess");
    const again = await debounced(who, key, "again");
    const guessedAgain = await debounced("guesser", key, "guess");
    const alike = guess.answer === decoy.answer && guess.created && guess.id !== first.id;
    const joined = again.id === first.id && !again.created && guessedAgain.id === guess.id;
    const left = (await noteOf(first.id)) === "again" && (await noteOf(guess.id)) === "guess";
    return unless(alike && joined && left, key, { first, guess, decoy, again, guessedAgain });
  });
});

it("debounced starts of readers and code become one run, and everybody's do where the workflow masks nothing", async () => {
  const rows = [
    { workflow: scene.guess.workflow, joining: ["code", "reader"] },
    { workflow: scene.guess.workflow, joining: ["reader", "code"] },
    { workflow: plain.name, joining: ["starter", "guesser", "reader", "code"] },
  ];
  await holds(rows, async ({ workflow, joining }) => {
    const ids = new Set<string>();
    for (const who of joining) ids.add((await debounced(who, `joined ${joining}`, who, workflow)).id);
    return unless(ids.size === 1, `${workflow} ${joining}`, [...ids]);
  });
});

it("a start into a queue where others' runs wait is shown like one into an empty queue, if the queue's key is masked", async () => {
  const inQueueOf = async (email: string, who = "guesser") => {
    const body = { workflow: laned.name, input: { email } };
    const started = await scene.ask("POST", "/v1/runs", { body, headers: bearer(tokens[who] as string) });
    return { id: started.body.id as string, started: started.body };
  };
  const seenAs = async (who: string, path: string) =>
    (await scene.ask("GET", path, { headers: bearer(tokens[who] as string) })).body;
  for (let others = 0; others < 3; others++) await inQueueOf(SECRET.text, "starter");
  const [guess, decoy] = [await inQueueOf(SECRET.text), await inQueueOf("bert.nobody@example.com")];
  const seen = (run: Record<string, unknown>) =>
    JSON.stringify({ ...run, id: "" })
      .replaceAll(/\d{4}-\d\d-[^"]+Z/g, "THEN")
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID");
  const reads = [
    ...[async (run: typeof guess) => run.started, async ({ id }: typeof guess) => seenAs("guesser", `/v1/runs/${id}`)],
    async ({ id }: typeof guess) =>
      (await seenAs("guesser", `/v1/runs?workflow=${laned.name}`)).runs.find((one: { id: string }) => one.id === id),
  ];
  await holds(reads, async (read) => {
    const [of, other] = [seen(await read(guess)), seen(await read(decoy))];
    return unless(of === other, "in the queue", [of, other]);
  });
  const { queue } = await seenAs("reader", `/v1/runs/${guess.id}`);
  expect(queue.ahead).toBe(3);
});

it("a singleton key that others have a live run of is answered like one that nobody has, if the key is masked", async () => {
  const startOf = async (who: string, email: string) => {
    const body = { workflow: single.name, input: { email } };
    return scene.ask("POST", "/v1/runs", { body, headers: bearer(tokens[who] as string) });
  };
  await holds(["starter", "reader"], async (who) => {
    const email = `${who} ${SECRET.text}`;
    const [first, guess, decoy] = [
      await startOf(who, email),
      await startOf("guesser", email),
      await startOf("guesser", `${who} bert.nobody@example.com`),
    ];
    const again = await startOf(who, email);
    const alike = [first, guess, decoy].every(({ status }) => status === 201);
    return unless(alike && again.status === 409 && again.body.error.details.runId === first.body.id, who, {
      guess,
      again,
    });
  });
});
