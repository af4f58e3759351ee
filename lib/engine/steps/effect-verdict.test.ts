import { describe, expect, it } from "vitest";
import {
  EFFECT_VERDICTS,
  type EffectFacts,
  type EffectVerdict,
  effectOutcome,
  judgeEffect,
  judgeRun,
  keyUse,
  type LaneFacts,
  protectionOf,
  RUN_VERDICT_SENTENCES,
  VERDICT_SENTENCES,
  worstOf,
} from "./effect-verdict";
import { STEP_STATUSES } from "./step";
import { mayHaveBegunUnseen } from "./unseen-start";

const lane = (given: Partial<LaneFacts> = {}): LaneFacts => ({
  protection: "key",
  keyGeneration: 1,
  status: "completed",
  onWord: false,
  unknown: 0,
  interrupted: 0,
  unseen: false,
  ...given,
});

const judged = (lanes: LaneFacts[], given: Partial<EffectFacts> = {}) =>
  judgeEffect({ runStatus: "completed", runsAgain: false, lanes, ...given });

const once = { protection: "nothing" } as const;
const fresh = { keyGeneration: 2 };

describe("the verdict on an effect", () => {
  it.each<[string, EffectVerdict, LaneFacts[], Partial<EffectFacts>?]>([
    ["kept", "once", [lane()]],
    ["kept after a lost answer", "same_key", [lane({ unknown: 1 })]],
    ["kept after it was handed back", "same_key", [lane({ interrupted: 1 })]],
    ["kept after a worker that may have begun it", "same_key", [lane({ unseen: true })]],
    ["failed for certain", "never", [lane({ status: "failed" })]],
    ["failed finally after a lost answer, which resolves the doubt", "never", [lane({ status: "failed", unknown: 1 })]],
    ["failed for certain after an unrecorded body", "unknown", [lane({ status: "failed", unseen: true })]],
    ["unknown", "unknown", [lane({ status: "unknown", unknown: 1 })]],
    ["skipped after it had failed for certain", "never", [lane({ status: "failed" }), lane({ status: "skipped" })]],
    ["skipped while unknown", "unknown", [lane({ status: "skipped", unknown: 1 })]],
    ["confirmed by a person", "vouched", [lane({ onWord: true, unknown: 1 })]],
    ["supplied after a failure", "vouched", [lane({ status: "failed" }), lane({ onWord: true })]],
    ["kept twice with one key", "same_key", [lane(), lane()]],
    ["kept twice with two keys", "maybe_twice", [lane(), lane(fresh)]],
    ["unknown, then kept with another key", "maybe_twice", [lane({ status: "waiting", unknown: 1 }), lane(fresh)]],
    ["unseen, then kept with another key", "maybe_twice", [lane({ status: "failed", unseen: true }), lane(fresh)]],
    ["failed for certain, then kept with another key", "once", [lane({ status: "failed" }), lane(fresh)]],
    ["without a key, kept", "once", [lane(once)]],
    ["without a key, kept twice", "maybe_twice", [lane(once), lane(once)]],
    ["without a key, handed back before its body", "once", [lane({ ...once, interrupted: 1 })]],
    ["without a key, denied and then kept", "vouched", [lane({ ...once, unknown: 1 })]],
    ["without a key, denied and then failed", "vouched", [lane({ ...once, status: "failed", unknown: 1 })]],
    ["without a key, unknown", "unknown", [lane({ ...once, status: "unknown", unknown: 1 })]],
    ["rows of the app's database, kept", "once", [lane({ protection: "commit", interrupted: 3, unknown: 1 })]],
    [
      "rows of the app's database, kept twice",
      "maybe_twice",
      [lane({ protection: "commit" }), lane({ protection: "commit" })],
    ],
    ["runs", "under_way", [lane({ status: "running" })], { runStatus: "running" }],
    ["waits for a retry", "under_way", [lane({ status: "waiting", unknown: 1 })], { runStatus: "waiting" }],
    ["was waiting when its run was cancelled", "unknown", [lane({ status: "waiting", unknown: 1 })]],
    ["awaits its rerun", "under_way", [lane({ status: "failed" })], { runStatus: "pending", runsAgain: true }],
    [
      "is rerun with a fresh key after it was kept",
      "under_way",
      [lane(), lane({ ...fresh, status: "waiting" })],
      { runStatus: "waiting" },
    ],
    [
      "runs with a fresh key after it was kept",
      "maybe_twice",
      [lane(), lane({ ...fresh, status: "running" })],
      { runStatus: "running" },
    ],
    ["was superseded by a rerun whose code omitted it", "once", [lane()], { runsAgain: true }],
  ])("%s: %s", (_, verdict, lanes, given) => {
    expect(judged(lanes, given)).toBe(verdict);
  });

  it("has a sentence, for one effect and for many", () => {
    for (const verdict of EFFECT_VERDICTS) {
      expect(VERDICT_SENTENCES[verdict]).toMatch(/\.$/);
      expect(RUN_VERDICT_SENTENCES[verdict]).toMatch(/\.$/);
    }
  });
});

/** Every possible lane, with few attempts. */
const LANES: LaneFacts[] = (["key", "commit", "nothing"] as const).flatMap((protection) =>
  STEP_STATUSES.flatMap((status) =>
    [0, 1, 2].flatMap((unknown) =>
      [1, 2].flatMap((keyGeneration) =>
        [false, true].flatMap((onWord) =>
          [false, true].map((unseen) => lane({ protection, status, unknown, keyGeneration, onWord, unseen })),
        ),
      ),
    ),
  ),
);

const rank = (verdict: EffectVerdict) => EFFECT_VERDICTS.indexOf(verdict);

describe("any two lanes", () => {
  const pairs = LANES.flatMap((first) => LANES.map((second) => [first, second] as const));

  it("with two recorded outcomes are never called once, unless they share one key", () => {
    for (const [first, second] of pairs) {
      const both = [first, second].every(({ status, onWord }) => status === "completed" && !onWord);
      if (!both) continue;
      const oneKey =
        [first, second].every(({ protection }) => protection === "key") && first.keyGeneration === second.keyGeneration;
      expect(judged([first, second])).toBe(oneKey ? "same_key" : "maybe_twice");
    }
  });

  it("with a doubt never get a better verdict", () => {
    for (const [first, second] of pairs) {
      if (first.protection !== "key" || first.onWord || first.unseen) continue;
      const doubted = judged([{ ...first, unseen: true }, second]);
      // A person's statement resolves one possible effect; the verdict is `vouched`.
      expect(rank(doubted), JSON.stringify([first, second])).toBeGreaterThanOrEqual(rank(judged([first, second])));
    }
  });

  it('of an ended run are never under way, and a completed one never gets "never"', () => {
    const wrong = pairs.flatMap((lanes) =>
      (["waiting", "cancelled"] as const)
        .filter((runStatus) => {
          const verdict = judgeEffect({ runStatus, runsAgain: false, lanes });
          if (verdict === "under_way") return runStatus === "cancelled";
          return verdict === "never" && lanes.some(({ status }) => status === "completed");
        })
        .map((runStatus) => ({ runStatus, lanes })),
    );
    expect(wrong).toEqual([]);
  });
});

describe("other facts of the ledger", () => {
  it("a run's verdict is the worst of its effects", () => {
    expect(worstOf([])).toBeNull();
    expect(worstOf(["once", "never"])).toBe("once");
    expect(worstOf(["once", "maybe_twice", "unknown"])).toBe("maybe_twice");
  });

  it("a body that a lost worker may have begun stays in doubt, unless the code completed afterwards", () => {
    expect(judgeRun(["once"], { status: "cancelled", lostAtEnd: true })).toBe("unknown");
    expect(judgeRun([], { status: "failed", lostAtEnd: true })).toBe("unknown");
    expect(judgeRun(["once"], { status: "pending", lostAtEnd: true })).toBe("under_way");
    expect(judgeRun(["once"], { status: "completed", lostAtEnd: true })).toBe("once");
    expect(judgeRun(["once"], { status: "failed", lostAtEnd: false })).toBe("once");
  });

  it("a key's use is named", () => {
    expect(keyUse([])).toBe("unused");
    expect(keyUse([{ keyGeneration: 1, attempts: 1 }])).toBe("one_attempt");
    expect(keyUse([{ keyGeneration: 1, attempts: 2 }])).toBe("same_again");
    expect(
      keyUse([
        { keyGeneration: 1, attempts: 1 },
        { keyGeneration: 2, attempts: 1 },
      ]),
    ).toBe("fresh");
    expect(
      keyUse([
        { keyGeneration: 1, attempts: 1 },
        { keyGeneration: 2, attempts: 0 },
      ]),
    ).toBe("one_attempt");
  });

  it("a step's protection and outcome are named", () => {
    expect(protectionOf("transaction", "idempotent")).toBe("commit");
    expect(protectionOf("step", "once")).toBe("nothing");
    expect(protectionOf("step", "idempotent")).toBe("key");
    expect(effectOutcome(lane())).toBe("kept");
    expect(effectOutcome(lane({ onWord: true }))).toBe("supplied");
    expect(effectOutcome(lane({ status: "waiting" }))).toBe("under_way");
    expect(effectOutcome(lane({ status: "skipped" }))).toBe("skipped");
  });

  it.each([
    ["before the loss", [9], false],
    ["between the loss and the next kept outcome", [15], true],
    ["after it", [21], false],
    ["in any attempt", [9, 20], true],
  ])("an attempt %s", (_, starts, unseen) => {
    expect(mayHaveBegunUnseen(starts, [{ at: 10, nextKeptAt: 20 }])).toBe(unseen);
    expect(mayHaveBegunUnseen(starts, [])).toBe(false);
  });
});
