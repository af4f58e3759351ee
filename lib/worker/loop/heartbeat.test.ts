import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Db, Statement } from "../../store/db";
import type { News } from "../../store/workers/beat";
import { Heartbeat } from "./heartbeat";

const LEASE_MS = 4_000;
const STEP_MS = 20;
const SETTINGS = { leaseMs: LEASE_MS, running: () => 0 };

/**
 * How long a heartbeat takes to the database, and its answer back; `lost` without an answer, `refused` when it fails at
 * once.
 */
type Way = { there: number; back: number } | "lost" | "refused";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * A simulated database with its own clock for the lease, behind a network in which each heartbeat takes the next route.
 */
function aDatabase(wayOf: (beat: number) => Way, newsMs = 0) {
  const asked: number[] = [];
  let leaseEndsAt = performance.now() + LEASE_MS;
  const query = async ({ name }: Statement) => {
    if (name === "news") {
      await after(newsMs);
      return [{ held: true }];
    }
    const way = wayOf(asked.push(performance.now()) - 1);
    if (way === "refused") throw new Error("ECONNREFUSED");
    if (way === "lost") return new Promise<never>(() => undefined);
    await after(way.there);
    const held = performance.now() < leaseEndsAt;
    if (held) leaseEndsAt = performance.now() + LEASE_MS;
    await after(way.back);
    return held ? [{ long: false }] : [];
  };
  return { db: { query } as unknown as Db, asked, leaseEndsAt: () => leaseEndsAt };
}

/**
 * Beats for this many leases; returns when the worker gave its lease up, if it did. It must never hold an expired one.
 */
async function beatFor(leases: number, wayOf: (beat: number) => Way, newsMs?: number) {
  const since = performance.now();
  const database = aDatabase(wayOf, newsMs);
  let lostAt: number | undefined;
  const heartbeat = new Heartbeat(database.db, 1, SETTINGS, {
    onBeat: () => undefined,
    onNews: () => undefined,
    onNoNews: () => undefined,
    onLost: () => {
      lostAt ??= performance.now() - since;
    },
  });
  void heartbeat.begin();
  for (let ms = 0; ms < leases * LEASE_MS; ms += STEP_MS) {
    await vi.advanceTimersByTimeAsync(STEP_MS);
    if (lostAt === undefined) expect(performance.now()).toBeLessThan(database.leaseEndsAt());
  }
  heartbeat.stop();
  return { lostAt, asked: database.asked.map((at) => at - since) };
}

const evenly = (answerMs: number) => (): Way => ({ there: answerMs / 2, back: answerMs / 2 });

describe("a heartbeat", () => {
  it("is sent four times per lease, however long the answers take", async () => {
    for (const answerMs of [10, 700]) {
      const { asked } = await beatFor(5, evenly(answerMs));
      expect(asked.length).toBeGreaterThanOrEqual(19);
      expect(asked.length).toBeLessThanOrEqual(21);
    }
  });

  it.each([0.01, 0.2, 0.3, 0.38])("keeps the lease when answers take %f of it", async (share) => {
    expect((await beatFor(10, evenly(LEASE_MS * share))).lostAt).toBeUndefined();
  });

  it("keeps the lease when a connection dies silently", async () => {
    expect((await beatFor(10, (beat) => (beat === 5 ? "lost" : { there: 5, back: 5 }))).lostAt).toBeUndefined();
  });

  it.each([LEASE_MS / 2, LEASE_MS * 3])("keeps the lease when its news takes %d ms", async (newsMs) => {
    const { lostAt, asked } = await beatFor(10, evenly(10), newsMs);
    expect(lostAt).toBeUndefined();
    expect(asked.length).toBeGreaterThanOrEqual(39);
  });

  it("keeps the lease without an answer for half of it, and asks until one arrives", async () => {
    const out = (beat: number) => beat >= 4 && beat < 12;
    const { lostAt, asked } = await beatFor(10, (beat) => (out(beat) ? "refused" : { there: 5, back: 5 }));
    expect(lostAt).toBeUndefined();
    expect((asked[12] as number) - (asked[4] as number)).toBeLessThan(LEASE_MS / 2);
  });

  it("counts the lease from when it asked, not from a late answer", async () => {
    const late = { there: 5, back: LEASE_MS * 0.4 };
    const { lostAt } = await beatFor(5, (beat) => (beat < 4 ? { there: 5, back: 5 } : beat === 4 ? late : "lost"));
    expect(lostAt).toBeDefined();
  });

  it.each(["lost", "refused"] as const)(
    "gives up the lease a third before its end when all answers are %s",
    async (way) => {
      const { lostAt } = await beatFor(3, (beat) => (beat < 4 ? { there: 0, back: 0 } : way));
      const lastAnswered = (3 * LEASE_MS) / 4;
      expect(lostAt).toBeGreaterThan(lastAnswered + LEASE_MS * 0.6);
      expect(lostAt).toBeLessThan(lastAnswered + LEASE_MS * 0.75);
    },
  );

  it.each(["stopped", "lost"] as const)("leaves nothing that keeps its process alive once it is %s", async (end) => {
    let held = true;
    const db = { query: async () => (held ? [{ held, long: false }] : []) } as unknown as Db;
    const nothing = () => undefined;
    const heartbeat = new Heartbeat(db, 1, SETTINGS, {
      onBeat: nothing,
      onNews: nothing,
      onNoNews: nothing,
      onLost: nothing,
    });
    await heartbeat.begin();
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    if (end === "stopped") heartbeat.stop();
    held = false;
    // Until the next heartbeat.
    if (end === "lost") await vi.advanceTimersByTimeAsync(LEASE_MS / 4);
    await vi.advanceTimersByTimeAsync(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  describe("and its news", () => {
    const HELD = { held: true } as News;
    /** Counts what is asked and heard; `news` answers each question. */
    function aListener(news: () => Promise<unknown[]>, mayRest = false) {
      const seen = { beats: 0, asked: 0, heard: 0, unheard: 0, lost: 0 };
      const query = ({ name }: Statement) => {
        seen[name === "news" ? "asked" : "beats"]++;
        return name === "news" ? news() : Promise.resolve([{ long: mayRest && seen.beats > 1, beatAt: "then" }]);
      };
      const heartbeat = new Heartbeat(
        { query } as unknown as Db,
        1,
        { ...SETTINGS, mayRest: () => mayRest },
        {
          onBeat: () => undefined,
          onNews: () => seen.heard++,
          onNoNews: () => seen.unheard++,
          onLost: () => seen.lost++,
        },
      );
      return { heartbeat, seen };
    }

    it("asks after each beat, also where a glance has just brought them: it may have been the last one", async () => {
      const { heartbeat, seen } = aListener(async () => [HELD]);
      await heartbeat.begin();
      heartbeat.hear(HELD);
      await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
      expect(seen).toMatchObject({ beats: 3, asked: 3, heard: 4 });
      heartbeat.stop();
    });

    it("leaves them to the glances of a worker that rests, for as long as these bring them", async () => {
      const { heartbeat, seen } = aListener(async () => [HELD], true);
      await heartbeat.begin();
      const until = async (beats: number, glances: boolean) => {
        while (seen.beats < beats) {
          if (glances) heartbeat.hear(HELD);
          await vi.advanceTimersByTimeAsync(LEASE_MS / 4);
        }
      };
      await until(4, true);
      expect(seen.asked).toBe(1);
      await until(6, false);
      expect(seen.asked).toBeGreaterThan(1);
      heartbeat.stop();
    });

    it("says so once when they fail twice in a row, and keeps the lease", async () => {
      const { heartbeat, seen } = aListener(() => Promise.reject(new Error("statement timeout")));
      await heartbeat.begin();
      expect(seen.unheard).toBe(0);
      await vi.advanceTimersByTimeAsync(2 * LEASE_MS);
      expect(seen).toMatchObject({ heard: 0, unheard: 1, lost: 0 });
      heartbeat.stop();
    });

    it("beats soon when they say that the lease is over: they may be older than the last beat", async () => {
      const { heartbeat, seen } = aListener(async () => [HELD]);
      await heartbeat.begin();
      heartbeat.hear({ ...HELD, held: false });
      await vi.advanceTimersByTimeAsync(LEASE_MS / 20 + 1);
      expect(seen).toMatchObject({ beats: 2, lost: 0 });
      heartbeat.stop();
    });
  });

  it("never holds a lease that has expired on the database's clock, whatever the network does", async () => {
    const ms = fc.integer({ min: 0, max: LEASE_MS });
    const way = fc.oneof(
      { weight: 4, arbitrary: fc.record({ there: ms, back: ms }) },
      { weight: 4, arbitrary: fc.constant({ there: 5, back: 5 }) },
      { weight: 1, arbitrary: fc.constantFrom("lost" as const, "refused" as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(way, { minLength: 1, maxLength: 20 }), async (ways) => {
        await beatFor(4, (beat) => ways[beat % ways.length] as Way);
      }),
      { numRuns: 200 },
    );
  });
});
