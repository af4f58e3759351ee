import { rm } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { allObjects } from "../../../lib/testing/database/all-objects";
import { addHandrail, anAppBefore, ownTestPasses, stateOf, survivesACrash, writeFiles } from "./embedding";
import { fastifyKysely } from "./fastify-kysely";
import type { Scene } from "./scene";

/** Handrail comes, works, and goes: the app and its database are as they were. */
export async function uninstall(scene: Scene): Promise<void> {
  const app = await anAppBefore(scene, fastifyKysely);
  const [objects, state] = [await allObjects(app.pool), await stateOf(app)];
  await addHandrail(app);
  await survivesACrash(app);
  await scene.check("Handrail is in the database", async () => {
    expect(await allObjects(app.pool)).not.toEqual(objects);
  });

  await writeFiles(app.folder, fastifyKysely.before);
  for (const file of ["handrail.config.ts", "src/order.ts", "src/order.verify.ts", "src/payments.ts"])
    await rm(path.join(app.folder, file));
  await scene.run(`npm uninstall handrail ${fastifyKysely.added.join(" ")}`, app.folder);
  await scene.run(`npm pkg set scripts.migrate='${fastifyKysely.migrate}'`, app.folder);
  await scene.run(
    `psql "$DATABASE_URL" --set ON_ERROR_STOP=1 --command 'drop schema handrail cascade'`,
    app.folder,
    app.env,
  );
  await scene.check("every catalogue of the database is as before", async () => {
    const [before, after] = [new Set(objects), new Set(await allObjects(app.pool))];
    const left = [...after].filter((line) => !before.has(line));
    const gone = [...before].filter((line) => !after.has(line));
    expect({ left, gone }).toEqual({ left: [], gone: [] });
  });
  await scene.check("no setting of the database or of a role is left", async () => {
    const settings = `select from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database())`;
    expect((await app.pool.query(settings)).rows).toEqual([]);
  });
  await scene.check("rows and history of the app are as before", async () => {
    expect(await stateOf(app)).toEqual(state);
  });
  await scene.run("npx tsc -p . --noEmit", app.folder);
  await ownTestPasses(app, "the app goes on: its own test passes");
}
