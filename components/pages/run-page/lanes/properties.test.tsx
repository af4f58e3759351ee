import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anAttempt, aRun, aStep } from "@/components/testing/a-run";
import { BRITISH } from "@/lib/format/viewer-formats";
import { itemsOf, type Sight } from "../timeline/items";
import { lanesOf } from "./lanes";
import { groupLoops, isLoop, MANY, stemOf } from "./loops";
import { panned, scalesOf, wholeScale, windowAt, zoomed } from "./scales";
import { shapeOf } from "./shape";
import { ticksOf } from "./ticks";
import { type Interval, stretchesOf, timeScale } from "./time-scale";

const DAY_MS = 86_400_000;
const EVERYTHING: Sight = { window: null, find: "", only: [], lanes: [], loops: [] };

const busy = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 5 * DAY_MS }), fc.integer({ min: 0, max: 600_000 }))
    .map(([from, ms]): Interval => ({ from, to: from + ms })),
  { maxLength: 40 },
);
const span = { from: 0, to: 6 * DAY_MS };

/** Steps in order, each with its attempts, one after the other. */
const steps = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 0, max: 20_000 }),
      tries: fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 4_000 })), {
        minLength: 1,
        maxLength: 5,
      }),
      loop: fc.boolean(),
      generation: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((given) => {
    let at = 0;
    return given.map(({ gap, tries, loop, generation }, index) => {
      at += gap;
      const attempts = tries.map(([pause, ms], number) => {
        const from = at + pause;
        at = from + ms;
        return anAttempt(number + 1, number === tries.length - 1 ? "completed" : "failed", from, at);
      });
      const [first, last] = [attempts[0], attempts.at(-1)];
      const name = loop ? `send-mail-${index}` : `step ${String.fromCharCode(97 + (index % 26))}${index}`;
      const times = { startedAt: first?.startedAt ?? "", finishedAt: last?.finishedAt ?? null };
      return aStep(name, index, { ...times, attempts, generation, attempt: attempts.length });
    });
  });

describe("a scale, whatever the run", () => {
  it("folds the same by few stretches as by all that they are made of, in any window", () => {
    fc.assert(
      fc.property(busy, fc.nat(span.to), fc.nat(span.to), (intervals, a, b) => {
        const window = { from: Math.min(a, b), to: Math.max(a, b) };
        const within = (times: Interval[]) => times.filter(({ from, to }) => to > window.from && from < window.to);
        const stretches = stretchesOf(intervals);
        expect(timeScale(span, stretches).folds).toEqual(timeScale(span, intervals).folds);
        expect(timeScale(window, within(stretches)).folds).toEqual(timeScale(window, within(intervals)).folds);
      }),
    );
  });

  it("keeps the order of time, fills the width, and comes back from a place to its instant", () => {
    fc.assert(
      fc.property(busy, fc.array(fc.integer({ min: 0, max: span.to }), { maxLength: 30 }), (intervals, instants) => {
        const scale = timeScale(span, intervals);
        const places = [...instants].sort((a, b) => a - b).map(scale.place);
        expect(places).toEqual([...places].sort((a, b) => a - b));
        expect(scale.place(span.from)).toBe(0);
        expect(scale.place(span.to)).toBeCloseTo(1, 6);
        for (const ms of instants) expect(Math.abs(scale.timeAt(scale.place(ms)) - ms)).toBeLessThan(2);
      }),
    );
  });

  it("folds idle time alone, and loses none of it: what is folded and what is drawn are the whole", () => {
    fc.assert(
      fc.property(busy, (intervals) => {
        const { folds, open } = timeScale(span, intervals);
        const length = (pieces: Interval[]) => pieces.reduce((sum, { from, to }) => sum + to - from, 0);
        expect(length(folds) + length(open)).toBe(span.to);
        for (const fold of folds)
          for (const { from, to } of intervals) expect(from < fold.to && to > fold.from && to > from).toBe(false);
        const width = [...folds, ...open].reduce((sum, piece) => sum + piece.width, 0);
        expect(width).toBeCloseTo(1, 6);
      }),
    );
  });

  it("draws what somebody has unfolded at its length", () => {
    fc.assert(
      fc.property(busy, (intervals) => {
        const folded = timeScale(span, intervals).folds;
        const unfolded = timeScale(span, intervals, new Set(folded.map(({ from }) => from)));
        expect(unfolded.folds).toEqual([]);
        expect(unfolded.unfolded.map(({ from }) => from)).toEqual(folded.map(({ from }) => from));
        expect(unfolded.place(span.to / 2)).toBeCloseTo(0.5, 6);
      }),
    );
  });

  it("has its ticks in order, inside, and round by the clock of a zone", () => {
    fc.assert(
      fc.property(busy, fc.constantFrom("Asia/Kolkata", "America/New_York", "UTC"), (intervals, zone) => {
        const scale = timeScale(span, intervals);
        for (const axis of [{ from: 0 }, { times: { ...BRITISH.times, zone } }]) {
          const places = ticksOf(scale, axis).map(({ at }) => at);
          expect(places.every((at) => at >= 0 && at <= 1)).toBe(true);
          expect(places).toEqual([...places].sort((a, b) => a - b));
        }
      }),
    );
    const [first] = ticksOf(timeScale({ from: 1_000, to: 4 * 3_600_000 }, [{ from: 0, to: 4 * 3_600_000 }]), {
      times: { ...BRITISH.times, zone: "Asia/Kolkata" },
    });
    expect(first?.text).toBe("06:00");
  });
});

describe("the bars of a step, whatever it went through", () => {
  it("follow each other, none shorter than nothing, its attempts among them and inside it", () => {
    fc.assert(
      fc.property(steps, (given) => {
        for (const lane of lanesOf(aRun({ steps: given, generation: 3 }), 10 * DAY_MS))
          for (const { segments, tookMs, step } of lane.rows) {
            segments.forEach(({ from, to }, index) => {
              expect(to).toBeGreaterThanOrEqual(from);
              expect(from).toBeGreaterThanOrEqual(segments[index - 1]?.to ?? from);
            });
            const length = segments.reduce((sum, { from, to }) => sum + to - from, 0);
            const [first, last] = [segments[0], segments.at(-1)];
            expect(length).toBe((last?.to ?? 0) - (first?.from ?? 0));
            expect(tookMs).not.toBeNull();
            for (const { startedAt } of step.attempts)
              expect(segments.some(({ from, idle }) => idle === null && from === Date.parse(startedAt))).toBe(true);
          }
      }),
    );
  });

  it("make a shape that reaches no further than they do", () => {
    fc.assert(
      fc.property(steps, (given) => {
        const lanes = lanesOf(aRun({ steps: given, generation: 3 }), 10 * DAY_MS);
        const whole = wholeScale(lanes, new Set());
        const shapes = shapeOf(
          lanes.flatMap(({ rows }) => rows),
          whole,
          100,
        );
        let reached = 0;
        for (const { at, width } of shapes) {
          expect(at).toBeGreaterThanOrEqual(reached - 1e-9);
          reached = at + width;
        }
        expect(reached).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });
});

describe("the rows", () => {
  it("hold every step once, in whatever loops they are", () => {
    fc.assert(
      fc.property(steps, (given) => {
        for (const { rows } of lanesOf(aRun({ steps: given, generation: 3 }), 10 * DAY_MS)) {
          const entries = groupLoops(rows);
          const names = entries.flatMap((entry) => (isLoop(entry) ? entry.rows : [entry])).map(({ step }) => step.name);
          expect([...names].sort()).toEqual(rows.map(({ step }) => step.name).sort());
          for (const entry of entries) if (isLoop(entry)) expect(entry.rows.length).toBeGreaterThanOrEqual(MANY);
        }
      }),
    );
  });

  it("say how many a window leaves out", () => {
    fc.assert(
      fc.property(steps, fc.nat(100), fc.nat(100), (given, a, b) => {
        const lanes = lanesOf(aRun({ steps: given, generation: 3 }), 10 * DAY_MS);
        const whole = wholeScale(lanes, new Set());
        const window = windowAt(whole, Math.min(a, b) / 100, (Math.max(a, b) + 1) / 100);
        const items = itemsOf(lanes, { ...EVERYTHING, window }, null);
        const shown = items.reduce((sum, item) => {
          if (item.type === "rest") return sum + item.count;
          if (item.type === "lane") return sum + (item.outside ? item.lane.rows.length : 0);
          if (item.type === "loop") return sum + item.loop.rows.length;
          return sum + (item.type === "step" && !item.inLoop ? 1 : 0);
        }, 0);
        expect(shown).toBe(given.length);
      }),
    );
  });

  it("name a loop by what its steps have in common", () => {
    expect(
      ["send-mail-17", "page 3 of 9", "copy:ada", "019aa5e0-0000-7000-8000-000000000001/a", "charge"].map(stemOf),
    ).toEqual(["send-mail-…", "page … of …", "copy:…", "…/a", "charge"]);
  });
});

describe("zooming", () => {
  it("stays inside the run, keeps what it zooms around in sight, and comes back to the whole", () => {
    const whole = timeScale(span, [span]);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(2, 0.5, 1.3), { maxLength: 12 }), fc.nat(span.to), (factors, anchor) => {
        let window: Interval | null = null;
        for (const factor of factors) {
          window = zoomed(whole, window, factor, anchor);
          if (!window) continue;
          expect(window.from).toBeGreaterThanOrEqual(span.from);
          expect(window.to).toBeLessThanOrEqual(span.to);
          expect(window.to).toBeGreaterThan(window.from);
          const moved = panned(whole, window, 0.25);
          expect(moved?.to ?? span.to).toBeLessThanOrEqual(span.to);
        }
        for (let back = 0; back < 40; back++) window = zoomed(whole, window, 0.5, anchor);
        expect(window).toBeNull();
      }),
    );
  });

  it("gives all lanes the scale of the window", () => {
    const rerun = aStep("b", 1, { generation: 2, startedAt: new Date().toISOString() });
    const lanes = lanesOf(aRun({ steps: [aStep("a", 0), rerun], generation: 2 }), Date.now());
    expect(new Set(scalesOf(lanes, { from: 0, to: 1_000 }, new Set()).values()).size).toBe(1);
    expect(new Set(scalesOf(lanes, null, new Set()).values()).size).toBe(2);
  });
});
