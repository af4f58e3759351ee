import { afterAll, beforeAll, expect, it } from "vitest";
import { maskedTag } from "../../lib/engine/privacy/masked-tags";
import { prepareStart } from "../../lib/engine/runs/start";
import type { Workflow } from "../../lib/engine/workflows/workflow";
import { workflowNamed } from "../../lib/engine/workflows/workflow-versions";
import { insertRunOnce } from "../../lib/store/runs/start-run";
import { answerOf } from "./oracle-answers";
import { type Scene, SECRET, twoWorlds, type World } from "./oracle-scene";
import { attackTable } from "./table";

/*
 * Whether a word is a masked value must not show in response times. Guesses and decoys alternate, so that other load on
 * the machine slows both.
 */

const DECOY = "bert.nobody@example.com";
/** Of each; the first few are discarded. */
const TIMES = 30;
const WARMING_UP = 4;
/**
 * How often a guess may take longer than a decoy, over all pairs. Half of them if the times are alike, with a deviation
 * of 0.075; two measurements in a row have to lie beyond 4 deviations, to the same side.
 */
const OFTEN = 0.8;
/** A smaller difference cannot be measured from outside. */
const LEAST_SHARE = 0.05;

let scene: Scene;
let operator: string;
let workflow: Workflow;
beforeAll(async () => {
  scene = await twoWorlds();
  operator = await scene.mint(["operator"]);
  workflow = workflowNamed(scene.workflows, scene.guess.workflow);
  await manyWithTheSecret();
  for (const world of [scene.guess, scene.decoy]) await place(world);
});
afterAll(() => scene.close());

const holds = attackTable("oracle times");

/** Runs and lines that a search by the secret would find. */
async function manyWithTheSecret(): Promise<void> {
  const { pool } = scene.database;
  await pool.query(
    `with made as (
      insert into handrail.run (id, workflow, version, input, tags, idempotency_key, status, attention, finished_at, error, started_at)
      select uuidv7(), $1, 1, $2, jsonb_build_object('email', $4::text), concat($3::text, nullif(n, 1)), 'failed', 'failed', clock_timestamp(),
        jsonb_build_object('name', 'Error', 'message', $3::text), clock_timestamp()
      from generate_series(1, 500) n returning id
    ) insert into handrail.run_tag (name, value, run_id) select 'email', $4, id from made`,
    [scene.guess.workflow, JSON.stringify({ email: SECRET.text }), SECRET.text, maskedTag(SECRET.text)],
  );
  await pool.query(
    `insert into handrail.log (run_id, key, during, message, at)
    select $1::uuid, n::text, 'code', 'paid for ' || $2, clock_timestamp() from generate_series(1, 2000) n`,
    [scene.guess.runs.completed, SECRET.text],
  );
}

/** An event that contains the scene's secret word. */
async function place(world: World): Promise<void> {
  const body = {
    name: "paid",
    payload: Array.from({ length: 2_000 }, () => `${world.word.text} ${world.word.number}`),
  };
  const { status } = await answerOf(scene, world, operator, ["POST", `/v1/runs/${world.runs.asking}/events`, body]);
  expect(status).toBeLessThan(300);
}

type Kind = "guess" | "decoy";
const WORDS = { guess: SECRET.text, decoy: DECOY };

interface Question {
  label: string;
  /** Before each time, not measured. */
  before?: (time: number) => Promise<unknown>;
  ask: (kind: Kind, time: number) => readonly [method: string, path: string, body?: unknown];
}

const byWord = (label: string, path: (word: string) => string): Question => ({
  label,
  ask: (kind) => ["GET", path(encodeURIComponent(WORDS[kind]))],
});
const start = (more: object) => ["POST", "/v1/runs", { workflow: scene.guess.workflow, ...more }] as const;
const keyOf = (time: number) => `of ${SECRET.text} ${time}`;
/** A run of another user. */
const started = async (input: object, options: object) =>
  insertRunOnce(scene.db, await prepareStart(workflow, input, options));

const QUESTIONS: Question[] = [
  byWord("runs by what they hold", (word) => `/v1/runs?workflow=${scene.guess.workflow}&q=${word}`),
  byWord("runs by a tag", (word) => `/v1/runs?workflow=${scene.guess.workflow}&tag.email=${word}`),
  byWord("counts by a tag", (word) => `/v1/runs/counts?workflow=${scene.guess.workflow}&tag.email=${word}`),
  byWord("runs by a part of their error", (word) => `/v1/runs?workflow=${scene.guess.workflow}&error=${word}`),
  byWord("the search", (word) => `/v1/search?q=${word}`),
  byWord("lines of a log", (word) => `/v1/runs/${scene.guess.runs.completed}/logs?q=${word}`),
  {
    label: "a run in which a word was placed",
    ask: (kind) => ["GET", `/v1/runs/${scene[kind].runs.asking}`],
  },
  {
    label: "a start with a known idempotency key",
    before: (time) => started({ email: SECRET.text }, { idempotencyKey: keyOf(time) }),
    ask: (kind, time) => start({ input: { email: WORDS[kind] }, idempotencyKey: keyOf(time) }),
  },
  {
    label: "a debounced start",
    before: (time) => started({ note: "theirs" }, { debounce: { key: keyOf(time), delayMs: 3_600_000 } }),
    ask: (kind, time) =>
      start({
        input: { note: "mine" },
        debounce: { key: keyOf(time).replace(SECRET.text, WORDS[kind]), delayMs: 3_600_000 },
      }),
  },
];

/** Guess, decoy, decoy, guess. */
async function timesOf({ label, before, ask }: Question, from: number): Promise<Record<Kind, number[]>> {
  const times: Record<Kind, number[]> = { guess: [], decoy: [] };
  const statuses = new Set<number>();
  for (let n = from; n < from + TIMES + WARMING_UP; n++) {
    await before?.(n);
    for (const kind of n % 2 === 0 ? (["guess", "decoy"] as const) : (["decoy", "guess"] as const)) {
      const asked = ask(kind, n);
      const startedAt = performance.now();
      const { status } = await answerOf(scene, scene[kind], operator, asked);
      if (n >= from + WARMING_UP) times[kind].push(performance.now() - startedAt);
      statuses.add(status);
    }
  }
  expect([...statuses], label).toHaveLength(1);
  return times;
}

const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] as number;

/** Whether guesses take longer (1) or shorter (-1) than decoys; 0 if inconclusive. */
function leaning({ guess, decoy }: Record<Kind, number[]>): number {
  const pairs = guess.flatMap((one) => decoy.map((other) => Math.sign(one - other)));
  const often = 0.5 + pairs.reduce((sum, sign) => sum + sign, 0) / (2 * pairs.length);
  const share = median(guess) / median(decoy) - 1;
  if (Math.abs(share) < LEAST_SHARE) return 0;
  if (often > OFTEN) return 1;
  return often < 1 - OFTEN ? -1 : 0;
}

it("a guess takes as long as a decoy", async () => {
  await holds(QUESTIONS, async (question) => {
    const first = await timesOf(question, 0);
    const leans = leaning(first);
    if (leans === 0) return null;
    const second = await timesOf(question, 1_000);
    if (leaning(second) !== leans) return null;
    const [guess, decoy] = [median(second.guess), median(second.decoy)];
    return `${question.label}: ${guess.toFixed(2)} ms for a guess, ${decoy.toFixed(2)} ms for a decoy`;
  });
});
