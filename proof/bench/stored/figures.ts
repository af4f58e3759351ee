import { atLeast, atMost, type Figure, ms, perSecond } from "../figure";
import type { Dropped } from "./drop-days";
import type { Daily } from "./measure-daily";
import type { Deleting } from "./measure-deleting";

const MOST_READ_MS = 100;

/** Of what is measured for each of two, the first against the second. */
function against<Of>(one: Of, other: Of) {
  return (measure: string, of: keyof Of, show: (value: number) => string, target: Figure["target"]): Figure => {
    const [value, base] = [Number(one[of]), Number(other[of])];
    return { measure, measured: `${show(value)} against ${show(base)}`, value: value / base, target };
  };
}

const us = (value: number) => `${value.toFixed(1)} µs`;
const bytes = (value: number) => `${Math.round(value)} B`;

export function figuresOf(
  few: Daily,
  rows: Daily & Deleting & { bytesPerRun: number; growth: number },
  parts: Daily & Deleting & Dropped,
): Figure[] {
  const beside = against<Daily>(rows, few);
  const parted = against<Daily & Deleting>(parts, rows);
  return [
    beside("steps a second beside all stored, against a hundredth", "stepsPerSecond", perSecond, atLeast(0.9)),
    beside("… server's processor time a step", "serverUsPerStep", us, atMost(1.1)),
    beside("… WAL a step", "walBytesPerStep", bytes, atMost(1.1)),
    beside("… a claim", "claimMs", ms, atMost(1.2)),
    {
      ...{ measure: "fifty runs of a day in the past, p95 in ms", measured: `beside few ${ms(few.listMs)}` },
      ...{ value: rows.listMs, target: atMost(MOST_READ_MS) },
    },
    {
      ...{ measure: "a run with its steps, p95 in ms", measured: `beside few ${ms(few.runMs)}` },
      ...{ value: rows.runMs, target: atMost(MOST_READ_MS) },
    },
    {
      measure: "steps a second while a worker deletes, against none",
      measured: `${perSecond(rows.runsPerSecond)} runs by a walk without pauses, each ${us(rows.serverUsPerRun)} of the server, ${bytes(rows.walBytesPerRun)} of WAL`,
      value: rows.beside,
      target: atLeast(0.5),
    },
    {
      measure: "what files grow by for a new run in the place of a deleted one, of what a run takes",
      measured: `${bytes(rows.growth * rows.bytesPerRun)} of ${bytes(rows.bytesPerRun)}`,
      value: rows.growth,
      target: atMost(0.1),
    },
    // A partition a day pays only where it costs the daily work nothing: 1 is no difference.
    parted("steps in partitions: steps a second, against rows", "stepsPerSecond", perSecond, atLeast(1)),
    parted("… server's processor time a step", "serverUsPerStep", us, atMost(1)),
    parted("… WAL a step", "walBytesPerStep", bytes, atMost(1)),
    parted("… a claim", "claimMs", ms, atMost(1)),
    parted("… fifty runs of a day in the past, p95", "listMs", ms, atMost(1)),
    parted("… a run with its steps, p95", "runMs", ms, atMost(1)),
    parted("… deletes of all but steps: server's processor time a run", "serverUsPerRun", us, atMost(0.5)),
    parted("… WAL a run", "walBytesPerRun", bytes, atMost(0.5)),
    parted("… steps a second while a worker deletes", "beside", (share) => share.toFixed(2), atLeast(1)),
    {
      measure: "… a day's partition dropped while a worker drains, ms",
      measured: `${bytes(parts.dropWalBytes)} of WAL`,
      value: parts.dropMs,
      target: atMost(MOST_READ_MS),
    },
  ];
}
