import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { createEmptyDatabase } from "../../lib/testing/database/database";
import { pack } from "../../scripts/pack/pack";
import { aScratchFolder } from "./installed-app";
import { aShop, aShopWith } from "./shop";
import { FIRST, upgrade } from "./upgrade";

/*
 * From the first package that had a command to migrate (`first/`) to this one, with runs in flight, then out of the
 * database again. It needs a registry, for the few packages that come with it.
 */

it("is upgraded with 200 runs in flight, by workers of both packages, and then removed", { timeout: 240_000 }, async ({
  onTestFinished,
}) => {
  const database = await createEmptyDatabase();
  const scratch = await aScratchFolder();
  onTestFinished(async () => {
    await database.drop();
    await rm(scratch, { recursive: true, force: true });
  });
  const { pool } = database;
  const [before, after] = await Promise.all([
    aShopWith(FIRST, onTestFinished),
    pack(scratch).then(({ tarball }) => aShopWith(tarball, onTestFinished)),
  ]);
  const checked: string[] = [];
  await upgrade(
    pool,
    aShop(before, pool, 1, onTestFinished),
    aShop(after, pool, 2, onTestFinished),
    async (what, work) => {
      await work();
      checked.push(what);
    },
  );
  expect(checked).toHaveLength(6);
});
