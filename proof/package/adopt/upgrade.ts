import { aShop, aShopWith } from "../shop";
import { FIRST, upgrade } from "../upgrade";
import type { Scene } from "./scene";

/** From the packed package of the first commit that had one to this tree's. */
export async function upgradePath(scene: Scene): Promise<void> {
  const { pool } = await scene.aDatabase();
  const atEnd = scene.atEnd.bind(scene);
  const before = await scene.check("the first package is installed", () => aShopWith(FIRST, atEnd));
  const after = await scene.check("this one is installed", async () => aShopWith(await scene.shared.tarball(), atEnd));
  await upgrade(pool, aShop(before, pool, 1, atEnd), aShop(after, pool, 2, atEnd), (what, work) =>
    scene.check(what, work),
  );
}
