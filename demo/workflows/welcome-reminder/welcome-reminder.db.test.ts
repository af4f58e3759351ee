import { expect, it } from "vitest";
import { theOutsideWorld } from "../../../lib/testing/processes/outside-world";
import { anEngine } from "../../../lib/testing/workers/engine";
import { startSandbox } from "../../sandbox/server";
import { welcomeReminder } from "./welcome-reminder";

const engine = anEngine();
const world = theOutsideWorld(startSandbox);

const subjects = async (email: string) => (await world.mails(email)).map(({ subject }) => subject);

it("a welcome and a reminder are sent once each, although the worker is restarted between them", async () => {
  const email = "new@example.com";
  const runId = await engine.start(welcomeReminder, { email, delaySeconds: 0.6 });
  const first = await engine.worker([welcomeReminder]);
  await engine.untilRun(runId, ({ run }) => run.status === "waiting");
  await first.stop();
  expect(await subjects(email)).toEqual(["Welcome"]);
  await engine.worker([welcomeReminder]);
  const { run, steps } = await engine.untilEnded(runId);
  expect(run.status).toBe("completed");
  expect(steps.map(({ name, attempt }) => `${name} ${attempt}`)).toEqual([
    "send-welcome 1",
    "wait 1",
    "send-reminder 1",
  ]);
  expect(await subjects(email)).toEqual(["Welcome", "A reminder"]);
});

it("a run that waits for a year holds nobody up", async () => {
  const email = "patient@example.com";
  const { run } = await engine.runToRest(welcomeReminder, { email, delaySeconds: 365 * 86_400 });
  expect(run).toMatchObject({ status: "waiting", waiting_kind: "timer", worker_id: null, attention: null });
  expect(await subjects(email)).toEqual(["Welcome"]);
});

it("a mail server that refuses for certain is asked again", async () => {
  const email = "flaky@example.com";
  await world.fault("mail", { mode: "flaky", rate: 1, times: 1 });
  const { run, attempts } = await engine.runToEnd(welcomeReminder, { email, delaySeconds: 0 });
  expect(run.status).toBe("completed");
  expect(attempts).toMatchObject([{ step: "send-welcome", status: "failed" }]);
  expect(await subjects(email)).toEqual(["Welcome", "A reminder"]);
});
