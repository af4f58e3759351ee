import { expect, it } from "vitest";
import { prepareEvent } from "../../../lib/engine/events/prepare-event";
import { readRunLog } from "../../../lib/operator/runs/read-log";
import { readRun } from "../../../lib/operator/runs/reads";
import { sendEvent } from "../../../lib/store/events/send-event";
import { until } from "../../../lib/testing/until";
import { anEngine } from "../../../lib/testing/workers/engine";
import { accountCredit } from "../account-credit/account-credit";
import { accountStatement, statementAsked } from "./account-statement";

const engine = anEngine();

const ask = async (id: string) =>
  sendEvent(engine.db, await prepareEvent(statementAsked, { accountId: "acc-1" }, { key: "acc-1", id }));

const statements = async () =>
  (
    await engine.rows<{ id: string }>(
      "select id::text from handrail.run where workflow = 'account-statement' order by id",
    )
  ).map(({ id }) => id);

it("each asking begins a run that adds the account up, says so and shows how far it is; the second waits for the next day", async () => {
  await engine.worker([accountCredit, accountStatement]);
  for (const amountCents of [500, 700])
    await engine.untilEnded(await engine.start(accountCredit, { accountId: "acc-1", amountCents }));
  await ask("first");
  const [first] = (await statements()) as [string];
  expect((await engine.untilEnded(first)).run.output).toEqual({ accountId: "acc-1", entries: 2, balanceCents: 1_200 });
  expect((await readRunLog(engine.db, first, {})).lines).toMatchObject([{ message: "entries to add up: 2" }]);
  expect(await readRun(engine.db, first)).toMatchObject({
    begunBy: { name: "statement.asked", id: "first", key: "acc-1" },
    progress: { done: 2, total: 2, note: "entries" },
  });
  await ask("second");
  await ask("second");
  const [, second, ...more] = (await statements()) as [string, string];
  expect(more).toEqual([]);
  const { queue } = await until("The queue to say when it opens", async () => {
    const run = await readRun(engine.db, second);
    return run.queue?.opensAt ? run : undefined;
  });
  expect(queue).toMatchObject({ rate: { limit: 1, perMs: 86_400_000 } });
});
