import { describe, expect, it } from "vitest";
import { isMet } from "../bench/figure";
import { judgeLedgers, type Thirds, TRENDS, thirdsOf } from "./judge";
import type { Ledgers } from "./ledgers";
import { planOf } from "./plan";
import type { Sample } from "./sample";

const MB = 1_048_576;

const sound: Ledgers = {
  ...{ acknowledged: 100, notEnded: 0, endedTwice: 0, notCompleted: 0, deleted: 40, deletedWrongly: 0, vanished: 0 },
  ...{ credits: 10, creditsTooMany: 0, creditsMissing: 0, creditsAtOnce: 0, balanceOff: 0 },
  ...{ children: 15, childrenExpected: 15 },
  ...{ fires: 30, begunTwice: 0 },
};

const missedOf = (ledgers: Partial<Ledgers>) =>
  judgeLedgers({ ...sound, ...ledgers })
    .filter((figure) => !isMet(figure))
    .map(({ measure }) => measure);

describe("ledgers", () => {
  it("that agree are sound", () => {
    expect(missedOf({})).toEqual([]);
  });

  it.each<[Partial<Ledgers>, string]>([
    [{ notEnded: 1 }, "runs without an end"],
    [{ endedTwice: 1 }, "ends of a run that had ended"],
    [{ notCompleted: 1 }, "runs that ended otherwise than completed"],
    [{ vanished: 1 }, "runs that are gone without a deletion"],
    [{ deletedWrongly: 1 }, "deletions before the end, or twice"],
    [{ creditsTooMany: 1 }, "credits twice, or of no acknowledged run"],
    [{ creditsMissing: 1 }, "credits that are missing"],
    [{ creditsAtOnce: 1 }, "credits of one account at once"],
    [{ balanceOff: -1 }, "balances less the ledger of credits"],
    [{ begunTwice: 1 }, "children or times of the schedule begun twice"],
    [{ children: 14 }, "children that were not begun"],
    [{ deleted: 0 }, "runs that retention deleted"],
  ])("with %o are not", (broken, finding) => {
    expect(missedOf(broken)).toEqual([finding]);
  });
});

const sample = (at: number, of: Partial<Sample> = {}): Sample => ({
  ...{ at, runsASecond: 100, stepsASecond: 300, flushP50: 2, flushP99: 10, bytes: { run: 100 * MB, step: 200 * MB } },
  ...{ deadTuples: 100_000, walBytesASecond: MB, backlog: 5, consoleMb: 200, readsP95: 20, kills: 0, deploys: 0 },
  workers: [{ pid: 1, version: 1, ageSeconds: 100, mb: 150 }],
  ...of,
});

/** Four samples a third: all equal but for what the last third has. */
function thirds(last: Partial<Sample>): Thirds {
  const samples = Array.from({ length: 12 }, (_, n) => sample(60 * (n + 1), n >= 8 ? last : {}));
  return thirdsOf(samples, 720_000);
}

const findings = (last: Partial<Sample>) =>
  Object.values(TRENDS)
    .flatMap((judge) => judge(thirds(last), planOf(60)))
    .filter((figure) => !isMet(figure))
    .map(({ measure, measured }) => `${measure}: ${measured}`);

describe("trends", () => {
  it("compare the last third with the middle one, by time", () => {
    const { middle, last } = thirds({ deadTuples: 1 });
    expect(middle.map(({ at }) => at)).toEqual([300, 360, 420, 480]);
    expect(last.map(({ deadTuples }) => deadTuples)).toEqual([1, 1, 1, 1]);
  });

  it("that are flat, or a tenth above, are sound", () => {
    expect(findings({})).toEqual([]);
    expect(findings({ bytes: { run: 109 * MB, step: 219 * MB }, flushP99: 12.5, consoleMb: 219 })).toEqual([]);
  });

  it.each<[string, Partial<Sample>, string[]]>([
    [
      "one table that grows among others",
      { bytes: { run: 115 * MB, step: 200 * MB } },
      ["run, last third against middle third: 115.0 MB against 100.0 MB"],
    ],
    [
      "all tables and indexes",
      { bytes: { run: 115 * MB, step: 222 * MB } },
      [
        "tables and indexes together, last third against middle third: 337.0 MB against 300.0 MB",
        "run, last third against middle third: 115.0 MB against 100.0 MB",
        "step, last third against middle third: 222.0 MB against 200.0 MB",
      ],
    ],
    [
      "slower flushes",
      { flushP99: 12.6 },
      ["median of the 99th percentiles of flushes, last third against middle third: 12.6 ms against 10.0 ms"],
    ],
    ["dead tuples", { deadTuples: 126_000 }, ["dead tuples, last third against middle third: 126,000 against 100,000"]],
    [
      "a worker of the same age with more memory",
      { workers: [{ pid: 2, version: 1, ageSeconds: 100, mb: 166 }] },
      ["memory of a worker, last third against middle third: 166 MB against 150 MB"],
    ],
    [
      "a console's memory",
      { consoleMb: 221 },
      ["memory of the console, last third against middle third: 221 MB against 200 MB"],
    ],
    [
      "runs that pile up",
      { backlog: 1_300 },
      ["ready runs that no worker has, last third against middle third: 1,300 against 1,000"],
    ],
  ])("find %s", (_, last, found) => {
    expect(findings(last)).toEqual(found);
  });

  it("are not found by small tables, young workers, or a soak without a console", () => {
    expect(findings({ bytes: { run: 100 * MB, step: 200 * MB, problem: 7 * MB } })).toEqual([]);
    expect(
      findings({
        workers: [
          { pid: 1, version: 1, ageSeconds: 100, mb: 150 },
          { pid: 2, version: 1, ageSeconds: 20, mb: 400 },
        ],
      }),
    ).toEqual([]);
    const without = thirdsOf(
      [300, 600, 700].map((at) => sample(at, { consoleMb: null })),
      720_000,
    );
    expect(TRENDS["memory of the console"]?.(without, planOf(60))).toEqual([]);
  });
});
