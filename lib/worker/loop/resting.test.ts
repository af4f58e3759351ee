import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Db, Statement } from "../../store/db";
import { Heartbeat } from "./heartbeat";

const LEASE_MS = 4_000;
const STEP_MS = 50;
/** As in claimer.ts, shorter: a claim whose answer is lost has ended by then. */
const CLAIM_ENDS_MS = 20_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** How long a statement takes to the database, and its answer back; without `back` its connection is lost, perhaps before it lands. */
interface Way {
  there: number;
  back?: number;
}
const QUICK: Way = { there: 5, back: 5 };

/** A worker whose claims find a run each, which takes `runMs`, on a simulated database with its own clock. */
function aWorker(wayOfBeat: (n: number) => Way, wayOfClaim: (n: number) => Way, runMs: number) {
  const row = { touched: 0, leaseEndsAt: performance.now() + LEASE_MS, owned: 0 };
  const beats: { at: number; long: boolean }[] = [];
  const state = { passes: 0, inDoubtUntil: 0, lost: false, claiming: false, claims: 0, beats: 0 };
  const travel = async ({ there, back }: Way, land: () => object) => {
    const landed = after(there).then(land);
    if (back === undefined) {
      await after(1_000);
      throw new Error("connection lost");
    }
    const answer = await landed;
    await after(back);
    return answer;
  };
  const query = async (
    { name }: Statement,
    [, running, leaseMs = 0, longMs = 0, named]: [
      id: number,
      running?: number,
      leaseMs?: number,
      longMs?: number,
      named?: string | null,
    ],
  ) => {
    if (name === "news") return [{ held: performance.now() < row.leaseEndsAt }];
    if (running === undefined) return [];
    return travel(wayOfBeat(state.beats++), () => {
      const now = performance.now();
      const held = now < row.leaseEndsAt;
      const long = held && named === `${row.touched}`;
      if (held) Object.assign(row, { leaseEndsAt: now + (long ? longMs : leaseMs), touched: row.touched + 1 });
      beats.push({ at: now, long });
      return held ? [{ long, beatAt: `${row.touched}` }] : [];
    });
  };
  const heartbeat = new Heartbeat(
    { query } as unknown as Db,
    1,
    {
      leaseMs: LEASE_MS,
      running: () => state.passes,
      mayRest: () => state.passes === 0 && performance.now() >= state.inDoubtUntil,
    },
    {
      onBeat: () => undefined,
      onNews: () => undefined,
      onNoNews: () => undefined,
      onLost: () => {
        state.lost = true;
      },
    },
  );
  const end = async (ms: number) => {
    await after(ms);
    row.owned--;
  };
  const claim = (leaseMs: number | null) => {
    const way = wayOfClaim(state.claims++);
    return travel(way, () => {
      if (performance.now() >= row.leaseEndsAt) return { runs: [] };
      row.owned++;
      // Its run is found and handed back within that time.
      if (way.back === undefined) void end(CLAIM_ENDS_MS / 2);
      if (leaseMs !== null) Object.assign(row, { leaseEndsAt: performance.now() + leaseMs, touched: row.touched + 1 });
      return { runs: ["run"] };
    }) as Promise<{ runs: string[] }>;
  };
  // One claim at a time, as a worker does.
  const work = async () => {
    if (state.claiming || state.lost) return;
    state.claiming = true;
    try {
      await heartbeat.during(claim, async ({ runs }) => {
        for (const _ of runs) {
          state.passes++;
          void end(runMs).then(() => state.passes--);
        }
      });
    } catch {
      state.inDoubtUntil = performance.now() + CLAIM_ENDS_MS;
    } finally {
      state.claiming = false;
    }
  };
  return { heartbeat, row, beats, state, work };
}

const pass = async (ms: number, check: () => void = () => undefined) => {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    await vi.advanceTimersByTimeAsync(STEP_MS);
    check();
  }
};

it("an idle worker beats every eight seconds, and every second once it has a run", async () => {
  const { heartbeat, row, beats, work } = aWorker(
    () => QUICK,
    () => QUICK,
    10_000,
  );
  await Promise.all([heartbeat.begin(), pass(100)]);
  await pass(60_000);
  expect(beats.length).toBeGreaterThanOrEqual(8);
  expect(beats.length).toBeLessThanOrEqual(11);
  expect(heartbeat.rests).toBe(true);
  const idle = beats.length;
  const claimedAt = performance.now();
  void work();
  await pass(1_200);
  expect(heartbeat.rests).toBe(false);
  expect(row.leaseEndsAt).toBeLessThanOrEqual(performance.now() + LEASE_MS);
  expect((beats[idle] as { at: number }).at - claimedAt).toBeLessThan(LEASE_MS * 0.3);
  await pass(8_000);
  expect(beats.length - idle).toBeGreaterThanOrEqual(8);
  heartbeat.stop();
});

it("a claim while the first longer lease is on its way shortens it, although nobody has it yet", async () => {
  const { heartbeat, row, work } = aWorker(
    (n) => (n === 1 ? { there: 900, back: 5 } : QUICK),
    () => QUICK,
    10_000,
  );
  await Promise.all([heartbeat.begin(), pass(1_500)]);
  void work();
  // It lands after the claim, and before the next heartbeat does.
  await pass(4_000, () => expect(row.leaseEndsAt - performance.now()).toBeLessThanOrEqual(LEASE_MS));
  heartbeat.stop();
});

it("an idle worker gives its lease up before it ends, too", async () => {
  const { heartbeat, row, state } = aWorker(
    (n) => (n < 5 ? QUICK : { there: 1_000_000 }),
    () => QUICK,
    0,
  );
  await Promise.all([heartbeat.begin(), pass(100)]);
  await pass(60_000, () => {
    if (!state.lost) expect(performance.now()).toBeLessThan(row.leaseEndsAt);
  });
  expect(state.lost).toBe(true);
});

it("one that owns a run never has a longer lease than any worker, and never holds an expired one, whatever the network does", async () => {
  const way = fc.oneof(
    { weight: 6, arbitrary: fc.constant(QUICK) },
    {
      weight: 3,
      arbitrary: fc.record({ there: fc.integer({ min: 0, max: 6_000 }), back: fc.integer({ min: 0, max: 3_000 }) }),
    },
    { weight: 1, arbitrary: fc.record({ there: fc.integer({ min: 0, max: 6_000 }) }) },
  );
  const ways = fc.array(way, { minLength: 1, maxLength: 12 });
  const pauses = fc.array(fc.integer({ min: 0, max: 14_000 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      ways,
      ways,
      pauses,
      fc.integer({ min: 0, max: 9_000 }),
      async (beatWays, claimWays, waits, runMs) => {
        const { heartbeat, row, state, work } = aWorker(
          (n) => beatWays[n % beatWays.length] as Way,
          (n) => claimWays[n % claimWays.length] as Way,
          runMs,
        );
        const check = () => {
          const now = performance.now();
          if (row.owned > 0) expect(row.leaseEndsAt - now).toBeLessThanOrEqual(LEASE_MS);
          if (state.passes > 0 && !state.lost) expect(now).toBeLessThan(row.leaseEndsAt);
        };
        void heartbeat.begin();
        for (const wait of waits) {
          await pass(wait, check);
          void work();
        }
        await pass(12_000, check);
        heartbeat.stop();
        await vi.advanceTimersByTimeAsync(100_000);
      },
    ),
    { numRuns: 100 },
  );
}, 120_000);
