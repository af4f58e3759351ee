import type { TestDatabase } from "../../../lib/testing/database/database";
import { until } from "../../../lib/testing/until";
import type { Body } from "../body-ledger";
import { askDoctor, type Violation } from "../judge";
import { isAcknowledged, type Tried } from "./load";
import { CELLS, type Cell, order, STEPS } from "./order";

const LONGEST_END_MS = 90_000;

interface Run {
  id: string;
  cell: Cell;
  key: string | null;
  status: string;
}

/** What a trial has left: its databases, what the starters were given and answered, and what the steps did. */
export interface Evidence {
  databases: Readonly<Record<Cell, TestDatabase>>;
  tried: ReadonlyMap<string, Tried>;
  bodies: readonly Body[];
}

/** The runs of all cells, once they have ended, or patience has. */
export async function runsOf(databases: Evidence["databases"]): Promise<Run[]> {
  const read = async (cell: Cell) => {
    const { rows } = await databases[cell].pool.query<Omit<Run, "cell">>(
      "select id, idempotency_key as key, status from handrail.run where workflow = $1",
      [order.name],
    );
    return rows.map((row) => ({ ...row, cell }));
  };
  const all = async () => (await Promise.all(CELLS.map(read))).flat();
  const areDone = async () => (await all()).every(({ status }) => status === "completed");
  await until("The end of every run", areDone, LONGEST_END_MS).catch(() => undefined);
  return all();
}

/** Compares the four databases with what the starters and the steps know: only an empty list is correct. */
export async function judge(evidence: Evidence, runs: readonly Run[]): Promise<Violation[]> {
  const ask = async (cell: Cell) =>
    (await askDoctor(evidence.databases[cell])).map(({ promise, what }) => ({ promise, what: `${cell}: ${what}` }));
  const doctors = await Promise.all(CELLS.map(ask));
  return [...checkKeys(evidence, runs), ...checkEffects(evidence), ...doctors.flat()];
}

function checkKeys({ tried }: Evidence, runs: readonly Run[]): Violation[] {
  const found: string[] = [];
  const byKey = groupBy(runs, ({ key }) => key ?? "");
  for (const key of byKey.keys()) if (!tried.has(key)) found.push(`a run has the key "${key}", which nobody started`);
  for (const one of tried.values()) {
    const { key, ids, created } = one;
    const there = byKey.get(key) ?? [];
    const where = there.map(({ cell, id }) => `${cell}.${id}`);
    if (!isAcknowledged(one)) found.push(`"${key}" was not acknowledged to both starters: ${one.error}`);
    if (there.length !== 1) found.push(`"${key}" has ${there.length} runs: ${where.join(", ")}`);
    if (ids.size > 1) found.push(`"${key}" was acknowledged with the ids ${[...ids].join(", ")}`);
    if (created > 1) found.push(`"${key}" was created ${created} times`);
    for (const id of ids) if (!where.includes(id)) found.push(`"${key}" was acknowledged with ${id}, which is gone`);
    for (const { status } of there) if (status !== "completed") found.push(`the run of "${key}" is ${status}`);
  }
  return found.map((what) => ({ promise: "P1", what }));
}

/** A body may run again; under one idempotency key its effect is one. */
function checkEffects({ tried, bodies }: Evidence): Violation[] {
  const found: string[] = [];
  const effects = groupBy(bodies, ({ lane, step }) => `${lane}: ${step}`);
  for (const { key } of tried.values())
    for (const step of STEPS) {
      const done = effects.get(`${key}: ${step}`) ?? [];
      const tokens = new Set(done.map(({ token }) => token));
      if (tokens.size !== 1) found.push(`"${step}" of "${key}" had ${tokens.size} effects`);
      else if (!done.some(({ endedAt }) => endedAt !== undefined)) found.push(`"${step}" of "${key}" was not finished`);
    }
  for (const { lane } of bodies) if (!tried.has(lane)) found.push(`a step ran for "${lane}", which nobody started`);
  return found.map((what) => ({ promise: "P3", what }));
}

function groupBy<Item>(items: readonly Item[], groupOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(groupOf(item), [...(groups.get(groupOf(item)) ?? []), item]);
  return groups;
}
