import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../lib/testing/database/database";
import { compareLedgers, openLedgers } from "./ledgers";

let own: TestDatabase;
beforeEach(async () => {
  own = await createTestDatabase();
  await openLedgers(own.pool);
});
afterEach(() => own.drop());

/** Of one account, from and to so many milliseconds after an instant. */
const credit = (account: number, from: number, to: number) =>
  own.pool.query(
    `insert into soak.credit (run_id, account_id, begun_at, ended_at)
     select gen_random_uuid(), $1, at + $2 * interval '1 ms', at + $3 * interval '1 ms' from (select timestamptz '2026-01-01' as at) as instant`,
    [account, from, to],
  );

it("credits of one account that overlap are seen, also behind a longer one; those in turn or of others are not", async () => {
  await credit(1, 0, 100);
  await credit(1, 10, 20);
  await credit(1, 100, 110);
  await credit(2, 0, 100);
  expect(await compareLedgers(own.pool)).toMatchObject({ credits: 4, creditsAtOnce: 1 });
  await credit(1, 90, 95);
  expect(await compareLedgers(own.pool)).toMatchObject({ credits: 5, creditsAtOnce: 2 });
});
