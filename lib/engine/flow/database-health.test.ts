import { describe, expect, it } from "vitest";
import { type DatabaseFacts, judgeDatabase, judgeStandby } from "./database-health";

const WELL: DatabaseFacts = {
  oldestTransaction: { pid: 7, application: "psql", state: "active", ageMs: 200, hasWrittenRuns: false },
  ...{ connections: 12, maxConnections: 100, heartbeatLagMs: 900, leaseOverdueMs: null },
  tables: [{ table: "run", liveRows: 1_000_000, deadRows: 90_000, vacuumedAgoMs: 60_000, bytes: 1e9 }],
  ...{ bytes: 2e9, oldestXidAge: 180_000_000, walBytes: 1 },
};

const levels = (facts: Partial<DatabaseFacts>) =>
  judgeDatabase({ ...WELL, ...facts })
    .filter(({ level }) => level !== "good")
    .map(({ what, level }) => `${what}: ${level}`);

const transaction = (ageMs: number, hasWrittenRuns = false) => ({
  oldestTransaction: { pid: 7, application: "psql", state: "idle in transaction", ageMs, hasWrittenRuns },
});
const dead = (deadRows: number, liveRows: number) => ({
  tables: [{ table: "step", liveRows, deadRows, vacuumedAgoMs: null, bytes: 1 }],
});

describe("the health of a database", () => {
  it("brings no advice when all is well", () => {
    expect(judgeDatabase(WELL).every(({ level, advice }) => level === "good" && advice === null)).toBe(true);
  });

  it.each([
    ["an old transaction", transaction(61_000), ["transaction: watch"]],
    ["a very old one", transaction(700_000), ["transaction: act"]],
    ["one that has written runs, sooner", transaction(31_000, true), ["transaction: watch"]],
    ["no transaction", { oldestTransaction: null }, []],
    ["many dead rows", dead(60_000, 90_000), ["vacuum: watch"]],
    ["more dead than alive", dead(900_000, 100_000), ["vacuum: act"]],
    ["a small table of dead rows", dead(900, 1), []],
    ["connections that run out", { connections: 96 }, ["connections: act"]],
    ["a lease that is over", { leaseOverdueMs: 90_000 }, ["leases: act"]],
    ["a late heartbeat", { heartbeatLagMs: 12_000 }, ["leases: watch"]],
    ["no worker", { heartbeatLagMs: null }, []],
    ["ids that run out", { oldestXidAge: 1_600_000_000 }, ["wraparound: act"]],
  ])("reports %s", (_, facts, expected) => expect(levels(facts)).toEqual(expected));

  it("names the process and the table in its advice", () => {
    const advice = (facts: Partial<DatabaseFacts>) =>
      judgeDatabase({ ...WELL, ...facts })
        .map((of) => of.advice)
        .join(" ");
    expect(advice(transaction(700_000))).toContain("pg_terminate_backend(7)");
    expect(advice(dead(900_000, 1))).toContain("vacuum handrail.step");
  });

  it("says why a standby is not read from, and nothing of one that is", () => {
    expect(judgeStandby(null)).toEqual({ what: "standby", level: "good", advice: null });
    expect(judgeStandby("it does not answer")).toMatchObject({
      level: "watch",
      advice: expect.stringContaining("DATABASE_READ_URL: it does not answer."),
    });
  });
});
