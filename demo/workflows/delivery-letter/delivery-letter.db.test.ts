import { expect, it } from "vitest";
import { readRun } from "../../../lib/operator/runs/reads";
import { rerun } from "../../../lib/testing/actions";
import { aDesk } from "../../../lib/testing/desk";
import { theOutsideWorld } from "../../../lib/testing/processes/outside-world";
import { anEngine } from "../../../lib/testing/workers/engine";
import { startSandbox } from "../../sandbox/server";
import { deliveryLetter } from "./delivery-letter";
import { deliveryLetterV1 } from "./delivery-letter-v1";

const engine = anEngine();
const world = theOutsideWorld(startSandbox);
const both = [deliveryLetter, deliveryLetterV1];
const letter = (postcode: string) => ({ orderId: "A-1", email: "ada@example.com", postcode });

it("a run that failed on version 1 goes on with version 2, which says what it leaves out", async () => {
  const runId = await engine.start(deliveryLetterV1, letter("SW1A 1AA"));
  await engine.worker(both);
  expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "failed", failed_step: "check-postcode" });
  await rerun(aDesk(engine.db), { runId, version: 2, reason: "version 2 knows Britain" });
  expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: { country: "GB" } });
  expect(await readRun(engine.db, runId)).toMatchObject({
    version: 1,
    codeVersion: 2,
    drift: [
      { generation: 2, version: 2, gone: ["write-letter"], goneCount: 1, next: "look-up-country", stopped: false },
    ],
  });
  expect(await world.mails("ada@example.com")).toHaveLength(1);
});

it("each version takes the postcodes that it knows", async () => {
  for (const [version, postcode, status] of [
    [deliveryLetterV1, "10115", "completed"],
    [deliveryLetter, "10115", "completed"],
    [deliveryLetter, "EC1A 1BB", "completed"],
    [deliveryLetter, "nowhere", "failed"],
  ] as const) {
    const runId = await engine.start(version, letter(postcode));
    await engine.worker(both);
    expect((await engine.untilEnded(runId)).run.status).toBe(status);
  }
});
