import { expect } from "vitest";
import type { Case } from "../case";
import type { Line } from "../protocol";

const CODE: Line[] = [
  { step: "mail", effect: "once", bodies: [{ return: "sent" }] },
  { sleep: "rest", ms: 1 },
  { step: "pay", bodies: [{ return: "paid" }] },
];
const OUTPUT = { mail: "sent", rest: null, pay: "paid" };

/** Each request of a run's life, by the end of its path. */
const REQUESTS = [
  "/registrations",
  "/claims",
  "/mail/attempts",
  "/mail/outcome",
  "/handback",
  "/pay/outcome",
  "/end",
  "/runs",
];

const aLostAnswer = (path: string): Case => [
  `the answer to ${path} is lost in the middle: it is asked again, and nothing is done twice`,
  async (stage) => {
    await stage.registered();
    const lost = stage.server.loseAnswer(path);
    const working = stage.work(CODE);
    const runId = await stage.start();
    await working;
    await lost;
    expect(await stage.result(runId)).toEqual(OUTPUT);
    expect([stage.driver.calls("mail").length, stage.driver.calls("pay").length]).toEqual([1, 1]);
    expect(await stage.driver.do({ do: "list", workflow: stage.workflow })).toEqual([runId]);
    expect((await stage.scene.history(runId)).lostClaims).toBe(0);
  },
];

const aBusyServer = (status: number, path: string): Case => [
  `${status} with Retry-After for ${path} is waited for`,
  async (stage) => {
    await stage.registered();
    const begun = performance.now();
    const busy = stage.server.refuseNext(path, status, { "retry-after": "1" });
    const working = stage.work(CODE);
    const runId = await stage.start();
    await working;
    expect(await stage.result(runId)).toEqual(OUTPUT);
    await busy;
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1_000);
    expect(stage.driver.calls("mail")).toHaveLength(1);
  },
];

export const serverCases: readonly Case[] = [
  ...REQUESTS.map(aLostAnswer),
  aBusyServer(503, "/claims"),
  aBusyServer(429, "/mail/outcome"),
  aBusyServer(503, "/runs"),
  [
    "refusals have the codes of the API",
    async (stage) => {
      const runId = "018f0000-0000-7000-8000-000000000000";
      expect(await stage.refusal({ do: "start", workflow: "there-is-none", input: 1 })).toBe("unknown_workflow");
      expect(await stage.refusal({ do: "status", runId })).toBe("unknown_run");
      expect(await stage.refusal({ do: "cancel", runId })).toBe("unknown_run");
      expect(await stage.refusal({ do: "status", runId: "no-id" })).toBe("invalid_request");
      const reserved = { workflow: { name: "handrail.mine" }, code: [] };
      expect(await stage.refusal({ do: "work", programs: [reserved], leaseMs: 2_000 })).toBe("invalid_workflow");
    },
  ],
];
