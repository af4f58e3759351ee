import { isDeepStrictEqual } from "node:util";
import type { Pool } from "pg";
import { inSchema } from "../store/schema";

export type Difference = "twice" | "never" | "out_of_order" | "different";

/** Where two observations differ, and how. `path` is that of the list or value: `mails`. */
export interface Differing {
  kind: Difference;
  path: string;
  /** How many of the list there are, and were without faults; null for what is no list. */
  counts: { now: number; before: number } | null;
}

/** Ids of runs differ from trial to trial: they are written as their workflow's name instead. */
export function withoutIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") {
    let text = value;
    for (const [id, name] of ids) text = text.replaceAll(id, `(${name})`);
    return text;
  }
  if (Array.isArray(value)) return value.map((item) => withoutIds(item, ids));
  if (value instanceof Map) return new Map(withoutIds([...value], ids) as [unknown, unknown][]);
  if (value instanceof Set) return new Set(withoutIds([...value], ids) as unknown[]);
  if (value === null || typeof value !== "object" || value instanceof Date || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [withoutIds(key, ids) as string, withoutIds(item, ids)]),
  );
}

/** A copy, so that what happens after the trial cannot change it. */
export const frozen = (value: unknown, ids: ReadonlyMap<string, string>): unknown =>
  withoutIds(structuredClone(value), ids);

/** What stands for the ids of all runs of a database. */
export async function idsOfRuns(pool: Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ id: string; workflow: string }>(
    inSchema("select id::text, workflow from handrail.run"),
  );
  return new Map(rows.map(({ id, workflow }) => [id, `run of ${workflow}`]));
}

/** The first of them, or undefined for equal observations. */
export function differenceOf(before: unknown, now: unknown, path = ""): Differing | undefined {
  if (isDeepStrictEqual(before, now)) return undefined;
  if (Array.isArray(before) && Array.isArray(now)) return differenceOfLists(before, now, path);
  if (isRecord(before) && isRecord(now)) {
    const found = [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap(
      (key) => differenceOf(before[key], now[key], path === "" ? key : `${path}.${key}`) ?? [],
    );
    return found.find(({ kind }) => kind === "twice") ?? found[0];
  }
  return { kind: "different", path, counts: null };
}

function differenceOfLists(before: readonly unknown[], now: readonly unknown[], path: string): Differing {
  const counts = { now: now.length, before: before.length };
  if (more(now, before)) return { kind: "twice", path, counts };
  const kept = now.every((item) => countOf(before, item) >= countOf(now, item));
  if (kept && now.length === before.length) return { kind: "out_of_order", path, counts };
  if (kept) return { kind: "never", path, counts };
  // Others than before: more of them count as a repetition that is not equal to the first.
  return { kind: now.length > before.length ? "twice" : "different", path, counts };
}

const countOf = (list: readonly unknown[], item: unknown) =>
  list.filter((other) => isDeepStrictEqual(other, item)).length;

/** Whether one of what was there before is there more often now. */
const more = (now: readonly unknown[], before: readonly unknown[]) =>
  before.some((item) => countOf(now, item) > countOf(before, item));

/** What happened more often than without faults, in a run that did not come to the same end. */
export function repeatedIn(before: unknown, now: unknown, path = ""): Differing | undefined {
  if (Array.isArray(before) && Array.isArray(now))
    return more(now, before) ? { kind: "twice", path, counts: { now: now.length, before: before.length } } : undefined;
  if (!isRecord(before) || !isRecord(now)) return undefined;
  for (const key of Object.keys(before)) {
    const found = repeatedIn(before[key], now[key], path === "" ? key : `${path}.${key}`);
    if (found) return found;
  }
  return undefined;
}

/**
 * Where an observation is neither of two nor between them, as that of a run which one build begins and another ends: of a list,
 * each of its things is there as often as in one of them, and so is their number.
 */
export function differenceFromBoth(one: unknown, other: unknown, now: unknown, path = ""): Differing | undefined {
  if (isDeepStrictEqual(one, now) || isDeepStrictEqual(other, now)) return undefined;
  if (Array.isArray(one) && Array.isArray(other) && Array.isArray(now)) return listFromBoth([one, other], now, path);
  if (isRecord(one) && isRecord(other) && isRecord(now)) {
    const keys = new Set([one, other, now].flatMap((record) => Object.keys(record)));
    const found = [...keys].flatMap(
      (key) => differenceFromBoth(one[key], other[key], now[key], path === "" ? key : `${path}.${key}`) ?? [],
    );
    return found.find(({ kind }) => kind === "twice") ?? found[0];
  }
  return { kind: "different", path, counts: null };
}

function listFromBoth(both: readonly (readonly unknown[])[], now: readonly unknown[], path: string) {
  const found = (kind: Difference, of: (...lengths: number[]) => number): Differing => ({
    kind,
    path,
    counts: { now: now.length, before: of(...both.map(({ length }) => length)) },
  });
  const isBeyond = (limit: (...counts: number[]) => number, is: (count: number, limit: number) => boolean) =>
    is(now.length, limit(...both.map(({ length }) => length))) ||
    [...now, ...both.flat()].some((item) => is(countOf(now, item), limit(...both.map((list) => countOf(list, item)))));
  if (isBeyond(Math.max, (count, most) => count > most)) return found("twice", Math.max);
  if (isBeyond(Math.min, (count, least) => count < least)) return found("never", Math.min);
  return undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as typeof Object.prototype);
