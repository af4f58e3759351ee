import { expect, it } from "vitest";
import type { Operation } from "@/lib/api/contract/operations";
import { canarySentence } from "./operation-words";

const NOTHING = { total: 412, done: 0, already: 0, notEligible: 0, changed: 0, failed: 0 };
const operation = (counts: Partial<Operation["counts"]>, over: Partial<Operation> = {}): Operation => ({
  ...{ id: "o", planId: "p", runId: "r", act: "rerun", params: {}, status: "running", startedBy: "ada" },
  ...{ pausedBecause: null, workflows: ["order"], reason: "the gateway is back", ratePerSecond: 20, canary: 5 },
  ...{ canaryPassedAt: null, createdAt: "2026-11-22T09:00:00.000Z", finishedAt: null },
  counts: { ...NOTHING, ...counts },
  ...over,
});

it.each([
  [{ done: 3 }, {}, "The first 5 are running. The rest waits for them."],
  [{ done: 4, failed: 1 }, {}, "Waiting for the first 5 to end. The rest waits for them."],
  [{ done: 3 }, { status: "paused" }, "Paused before the first 5 have all started. The rest waits for them."],
  [{ done: 5 }, { status: "paused" }, "The first 5 have not passed. Decide whether to continue."],
  [{ done: 9 }, { canaryPassedAt: "2026-11-22T09:00:09.000Z" }, "Canary passed. Rolling out to the rest."],
  [{ done: 5 }, { canary: 0 }, null],
] as const)("the first runs of %j %j: %s", (counts, over, sentence) => {
  expect(canarySentence(operation(counts, over))).toBe(sentence);
});
