import type { Finding } from "../../lib/store/database/doctor";
import { atLeast, atMost, type Figure, median } from "../bench/figure";
import type { Ledgers } from "./ledgers";
import { type Sample, totalBytes } from "./sample";

/** Smaller tables and indexes are left out: a page more or less is much of them. */
const JUDGED_BYTES = 8 * 1_024 * 1_024;
const SAME_SIZE = 1.1;
const SAME_LATENCY = 1.25;
const SAME_MEMORY = 1.1;
/** Autovacuum comes and goes: its saw is compared by its mean. */
const SAME_DEAD = 1.25;
const FEW_DEAD_TUPLES = 10_000;

const count = (value: number) => value.toLocaleString("en");
const none = (measure: string, value: number, of: string): Figure => ({
  measure,
  measured: `${count(value)} of ${of}`,
  value,
  target: atMost(0),
});

/** That each acknowledged run ended once and nothing happened twice: holds of a soak of any length. */
export function judgeLedgers(ledgers: Ledgers): Figure[] {
  const runs = `${count(ledgers.acknowledged)} acknowledged starts, ${count(ledgers.children)} children, ${count(ledgers.fires)} times of the schedule`;
  return [
    none("runs without an end", ledgers.notEnded, runs),
    none("ends of a run that had ended", ledgers.endedTwice, runs),
    none("runs that ended otherwise than completed", ledgers.notCompleted, runs),
    none("runs that are gone without a deletion", ledgers.vanished, runs),
    none("deletions before the end, or twice", ledgers.deletedWrongly, `${count(ledgers.deleted)} deleted runs`),
    none("credits twice, or of no acknowledged run", ledgers.creditsTooMany, `${count(ledgers.credits)} credits`),
    none("credits that are missing", ledgers.creditsMissing, `${count(ledgers.credits)} credits`),
    none("credits of one account at once", ledgers.creditsAtOnce, `${count(ledgers.credits)} credits`),
    none("balances less the ledger of credits", Math.abs(ledgers.balanceOff), `${count(ledgers.credits)} credits`),
    none("children or times of the schedule begun twice", ledgers.begunTwice, runs),
    none("children that were not begun", ledgers.childrenExpected - ledgers.children, runs),
    {
      measure: "runs that retention deleted",
      measured: `${count(ledgers.deleted)} of ${runs}`,
      value: ledgers.deleted,
      target: atLeast(1),
    },
  ];
}

export function judgeDoctor(findings: readonly Finding[]): Figure {
  const bad = findings.filter(({ hits, unanswered }) => hits.length > 0 || unanswered !== undefined);
  const words = bad.map(({ rule, hits, unanswered }) => `; ${rule.name}: ${unanswered ?? JSON.stringify(hits[0])}`);
  return none("rules that the doctor finds broken", bad.length, `${findings.length} rules${words.join("")}`);
}

export const judgeReaders = ({ requests, refused }: { requests: number; refused: readonly string[] }): Figure =>
  none(
    "requests of the console refused",
    refused.length,
    [`${count(requests)} requests`, ...refused.slice(0, 3)].join("; "),
  );

/** What only thirds that are long enough can say; its names say what a short soak leaves out. */
export const TRENDS: Record<string, (thirds: Thirds, plan: { killEveryMs: number }) => Figure[]> = {
  "size of tables and indexes": ({ middle, last }) => [
    compared("tables and indexes together", mean(middle, totalBytes), mean(last, totalBytes), SAME_SIZE, mb),
    ...eachRelation(middle, last),
  ],
  "99th percentile of flushes": ({ middle, last }) => [
    compared("median of the 99th percentiles of flushes", flushes(middle), flushes(last), SAME_LATENCY, ms),
  ],
  "dead tuples": ({ middle, last }) => [
    compared("dead tuples", ...floored(mean(middle, dead), mean(last, dead), FEW_DEAD_TUPLES), SAME_DEAD, whole),
  ],
  "memory of workers of the same age": ({ middle, last }, { killEveryMs }) => {
    const age = killEveryMs / 2_000;
    return [compared("memory of a worker", memoryAt(age, middle), memoryAt(age, last), SAME_MEMORY, megabytes)];
  },
  "memory of the console": ({ middle, last }) => {
    if (middle.every(({ consoleMb }) => consoleMb === null)) return [];
    const of = (samples: readonly Sample[]) => median(samples.map(({ consoleMb }) => consoleMb ?? Number.NaN));
    return [compared("memory of the console", of(middle), of(last), SAME_MEMORY, megabytes)];
  },
  "runs that wait for a worker": ({ middle, last }) => {
    const [before, after] = floored(mean(middle, ready), mean(last, ready), 1_000);
    return [compared("ready runs that no worker has", before, after, SAME_DEAD, whole)];
  },
};

export interface Thirds {
  middle: readonly Sample[];
  last: readonly Sample[];
}

/** By time, not by number: a late sample must not move a bound. */
export function thirdsOf(samples: readonly Sample[], totalMs: number): Thirds {
  const third = totalMs / 3_000;
  return {
    middle: samples.filter(({ at }) => at > third && at <= 2 * third),
    last: samples.filter(({ at }) => at > 2 * third),
  };
}

function compared(what: string, middle: number, last: number, limit: number, words: (value: number) => string): Figure {
  return {
    measure: `${what}, last third against middle third`,
    measured: `${words(last)} against ${words(middle)}`,
    value: last / middle,
    target: atMost(limit),
  };
}

function eachRelation(middle: readonly Sample[], last: readonly Sample[]): Figure[] {
  const names = Object.keys(last.at(-1)?.bytes ?? {});
  return names.flatMap((name) => {
    const of = ({ bytes }: Sample) => bytes[name] ?? 0;
    const [before, after] = [mean(middle, of), mean(last, of)];
    return Math.max(before, after) > JUDGED_BYTES ? [compared(name, before, after, SAME_SIZE, mb)] : [];
  });
}

const dead = ({ deadTuples }: Sample) => deadTuples;
const ready = ({ backlog }: Sample) => backlog;
const flushes = (samples: readonly Sample[]) => median(samples.flatMap(({ flushP99 }) => flushP99 ?? []));

/** Of the workers that are so old, to twice that: a young one is compared with a young one. */
const memoryAt = (seconds: number, samples: readonly Sample[]) =>
  median(
    samples.flatMap(({ workers }) =>
      workers.filter(({ ageSeconds }) => ageSeconds >= seconds && ageSeconds < 2 * seconds).map(({ mb }) => mb),
    ),
  );

const mean = (samples: readonly Sample[], of: (sample: Sample) => number) =>
  samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;

/** What is below counts as this much: the ratio of two small numbers says nothing. */
const floored = (middle: number, last: number, least: number): [number, number] => [
  Math.max(middle, least),
  Math.max(last, least),
];

const mb = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`;
const megabytes = (value: number) => `${value.toFixed(0)} MB`;
const ms = (value: number) => `${value.toFixed(1)} ms`;
const whole = (value: number) => count(Math.round(value));
