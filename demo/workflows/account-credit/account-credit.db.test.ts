import { expect, it } from "vitest";
import { anEngine } from "../../../lib/testing/workers/engine";
import { accountCredit } from "./account-credit";

const engine = anEngine();

it("forty credits of one account at once are forty entries, and their sum is its balance", async () => {
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      engine.start(accountCredit, { accountId: "shared", amountCents: index + 1 }),
    ),
  );
  await engine.worker([accountCredit]);
  await engine.worker([accountCredit]);
  const balances = new Set<number>();
  for (const id of ids) {
    const { run } = await engine.untilEnded(id);
    expect(run.status).toBe("completed");
    balances.add((run.output as { balanceCents: number }).balanceCents);
  }
  expect(await engine.rows("select balance_cents::int from demo.account where id = 'shared'")).toEqual([
    { balance_cents: 820 },
  ]);
  expect(
    await engine.rows(
      "select count(*)::int, count(distinct run_id)::int as runs, sum(amount_cents)::int from demo.account_entry where account_id = 'shared'",
    ),
  ).toEqual([{ count: 40, runs: 40, sum: 820 }]);
  // Each saw a different balance: no update was lost.
  expect(balances.size).toBe(40);
});

it("a credit that a key has started twice is made once", async () => {
  const input = { accountId: "keyed", amountCents: 500 };
  const [first, second] = await Promise.all(
    [1, 2].map(() => engine.start(accountCredit, input, { idempotencyKey: "credit-1" })),
  );
  expect(second).toBe(first);
  await engine.worker([accountCredit]);
  await engine.untilEnded(first as string);
  expect(await engine.rows("select balance_cents::int from demo.account where id = 'keyed'")).toEqual([
    { balance_cents: 500 },
  ]);
});
