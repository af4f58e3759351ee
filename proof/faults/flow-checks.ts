import type { Pool } from "pg";
import type { Body } from "./body-ledger";
import { toldTo } from "./company";
import { type Broken, type Evidence, expectThat, isDone, noBodyUnrecorded } from "./effects";
import { CROWD_LIMIT, ERRANDS, HOUR_MS, hourly, ITEMS, itemsOf, trialOf } from "./flows/workflows";

/** Bodies of the flows' steps: no more than recorded, and one for each outcome. */
function ofBodies(evidence: Evidence): Broken {
  const { run, history, world } = evidence;
  const names = [...new Set(history.steps.filter(({ kind }) => kind === "step").map(({ name }) => name))];
  return names.flatMap((name) => {
    const bodies = world.bodies.filter(({ runId, step }) => runId === run.id && step === name).length;
    const done = history.steps.some((step) => step.name === name && isDone(step));
    return [
      ...noBodyUnrecorded(evidence, name, bodies),
      ...expectThat(!done || bodies > 0, "P3", `"${name}" is called done, and no body of it ran`),
    ];
  });
}

async function rowsOf<Row extends object>(pool: Pool, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await pool.query<Row>(text, values)).rows;
}

/** It received the event that was sent to it, and one of those that were open to all. */
async function ofListening(evidence: Evidence): Promise<Broken> {
  const { run, history, pool } = evidence;
  if (history.run.status !== "completed") return ofBodies(evidence);
  const { own, shared, choice, by, nobody } = history.run.output as Record<string, string>;
  const [one] = await rowsOf<{ choice: string; by: string; answers: number }>(
    pool,
    `select max(after ->> 'choice') as choice, max(actor) as by, count(*)::int as answers
      from handrail.audit where run_id = $1 and act = 'answer' and result = 'done'`,
    [run.id],
  );
  const taken = await rowsOf<{ id: string }>(
    pool,
    "select id from handrail.event where taken_by = $1 and name = 'shared'",
    [run.id],
  );
  return [
    ...ofBodies(evidence),
    ...expectThat(own === toldTo(run), "P8", `it was told "${toldTo(run)}" and got "${own}"`),
    ...expectThat(taken.length === 1 && taken[0]?.id === shared, "P8", `it got "${shared}" and took ${taken.length}`),
    ...expectThat(one?.answers === 1, "P9", `${one?.answers} answers to one question are on record`),
    ...expectThat(one?.choice === choice && one?.by === by, "P9", `${by} chose ${choice}; the audit says otherwise`),
    ...expectThat(nobody === "nobody", "P8", `what nobody sent came as "${nobody}"`),
  ];
}

/** Each child once, each end reported. */
async function ofGathering(evidence: Evidence): Promise<Broken> {
  const { run, history, pool } = evidence;
  const children = await rowsOf<{ id: string; step: string }>(
    pool,
    "select id, parent_step as step from handrail.run where parent_run_id = $1",
    [run.id],
  );
  const names = new Set(children.map(({ step }) => step));
  const { word } = run.input as { word: string };
  const should = ERRANDS.map((one) => (one.endsWith("-fails") ? "child_failed" : `${word}-${one}`));
  const output = history.run.output as { results: string[]; left: string } | null;
  const isOver = history.run.status === "completed";
  return [
    ...expectThat(names.size === children.length, "P1", `${children.length} children of ${names.size} steps`),
    ...expectThat(!isOver || children.length === ERRANDS.length + 1, "P1", `${children.length} children`),
    ...expectThat(!isOver || `${output?.results}` === `${should}`, "P1", `the children gave ${output?.results}`),
    ...expectThat(
      !isOver || children.some(({ id }) => id === output?.left),
      "P1",
      "the child that was left is not there",
    ),
  ];
}

/** Each item once, in pages of which each was started once. */
async function ofMapping(evidence: Evidence): Promise<Broken> {
  const { run, history, pool } = evidence;
  if (!("word" in run.input)) return ofBodies(evidence);
  const pages = await rowsOf<{ step: string }>(
    pool,
    "select parent_step as step from handrail.run where parent_run_id = $1",
    [run.id],
  );
  const output = history.run.output as { done: number; visited: string[] } | null;
  const isOver = history.run.status === "completed";
  const { word } = run.input as { word: string };
  return [
    ...expectThat(new Set(pages.map(({ step }) => step)).size === pages.length, "P1", `${pages.length} pages`),
    ...expectThat(!isOver || output?.done === ITEMS, "P1", `${output?.done} of ${ITEMS} items are called done`),
    ...expectThat(!isOver || `${output?.visited}` === `${itemsOf(word)}`, "P1", `its pages gave ${output?.visited}`),
  ];
}

/** Its three values are in the store, each held by its row, whoever died on the way. */
async function ofWeighty(evidence: Evidence): Promise<Broken> {
  const { history, pool } = evidence;
  const [held] = await rowsOf<{ count: number }>(
    pool,
    "select count(*)::int as count from handrail.blob where run_id = $1 and held and gone_at is null",
    [history.run.id],
  );
  const isOver = history.run.status === "completed";
  const output = JSON.stringify(history.run.output);
  return [
    ...ofBodies(evidence),
    ...expectThat(!isOver || held?.count === 3, "P3", `${held?.count} blobs are held, of three values`),
    ...expectThat(!isOver || output.includes('"blob"'), "P3", `its output is ${output.slice(0, 100)}`),
  ];
}

export const FLOW_CHECKS: Record<string, (evidence: Evidence) => Promise<Broken>> = {
  listening: ofListening,
  gathering: ofGathering,
  mapping: ofMapping,
  weighty: ofWeighty,
  ...Object.fromEntries(
    ["errand", "long-nap", "abandoned", "crowded", "limited", "interrupted", "answering", "punctual"].map((name) => [
      name,
      async (evidence: Evidence) => ofBodies(evidence),
    ]),
  ),
};

/** A word belongs to one run, and so does a nominal time, however often it was started. */
export function startedTwice(bodies: readonly Body[]): Broken {
  const runs = new Map<string, Set<string>>();
  for (const { lane, runId } of bodies) runs.set(lane, (runs.get(lane) ?? new Set()).add(runId));
  return [...runs].flatMap(([lane, ids]) => expectThat(ids.size === 1, "P1", `"${lane}" was done by ${ids.size} runs`));
}

/** The clock of a loss is the database's, read a moment before the next owner's. */
const CLOCK_MS = 5;

/**
 * At no instant more bodies of a group than its limit; one that was taken from its worker occupies no slot any more.
 */
export async function crowds(pool: Pool, bodies: readonly Body[]): Promise<Broken> {
  const lost = await rowsOf<{ id: string; at: Date }>(
    pool,
    "select run_id as id, lost_at as at from handrail.lost_claim",
  );
  const crowded = await rowsOf<{ id: string; workflow: string }>(
    pool,
    "select id, workflow from handrail.run where workflow in ('crowded', 'limited')",
  );
  const workflowOf = new Map(crowded.map(({ id, workflow }) => [id, workflow]));
  const spans = bodies
    .filter(({ runId }) => workflowOf.has(runId))
    .map(({ runId, lane, beganAt, endedAt = Number.POSITIVE_INFINITY }) => {
      const lostAt = lost.filter(({ id, at }) => id === runId && at.getTime() >= beganAt).map(({ at }) => at.getTime());
      const crowd = `${workflowOf.get(runId)} ${trialOf(lane)}`;
      return { crowd, from: beganAt, until: Math.min(endedAt, ...lostAt) - CLOCK_MS };
    });
  return spans.flatMap(({ crowd, from }) => {
    const beside = spans.filter((other) => other.crowd === crowd && other.from <= from && other.until > from).length;
    return expectThat(beside <= CROWD_LIMIT, "P1", `${beside} bodies at once, under a limit of ${CROWD_LIMIT}`);
  });
}

/** Each hour that was missed, and each that came meanwhile, has its run; no other has one. */
export async function hours(pool: Pool): Promise<Broken> {
  const firings = await rowsOf<{ at: Date; status: string; run: string | null }>(
    pool,
    "select nominal_at as at, status, run_id as run from handrail.firing where schedule = $1 order by nominal_at",
    [hourly.name],
  );
  const [row] = await rowsOf<{ runs: number }>(
    pool,
    "select count(*)::int as runs from handrail.run where workflow = $1",
    [hourly.workflow],
  );
  const gaps = firings.slice(1).filter(({ at }, index) => +at - +(firings[index]?.at ?? 0) !== HOUR_MS);
  return [
    ...expectThat(gaps.length === 0, "P7", `${gaps.length} hours were left out`),
    ...expectThat(
      firings.every(({ status }) => status === "started"),
      "P7",
      "an hour that was missed was not made up for",
    ),
    ...expectThat(row?.runs === firings.length, "P7", `${row?.runs} runs of ${firings.length} hours`),
  ];
}
