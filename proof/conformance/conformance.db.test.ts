import { afterAll, afterEach, beforeAll, describe, it } from "vitest";
import { type ApiServer, startApiServer } from "../../lib/testing/api/api-server";
import { oneIn } from "../../lib/testing/sample";
import { hasPython } from "../../lib/testing/workers/python-worker";
import { aRemoteScene } from "../../lib/testing/workers/remote-worker";
import { cases } from "./cases";
import { DRIVERS, type Driver, type DriverName } from "./driver";
import { Stage } from "./stage";

/* One table of cases for every client (docs/any-language.md): against a server with the API's own routes, on PostgreSQL. A quarter
 * in each `npm test`. */

const scene = aRemoteScene();
let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer(scene.api);
});
afterAll(() => server.close());

const names = (Object.keys(DRIVERS) as DriverName[]).filter((name) => hasPython || !name.includes("Python"));

describe.each(names)("%s", (client) => {
  const drivers: Driver[] = [];
  afterEach(async () => {
    for (const driver of drivers.filter(({ hasEnded }) => !hasEnded)) {
      driver.thaw();
      await driver.do({ do: "stop" });
    }
    server.forget();
  });
  afterAll(() => Promise.all(drivers.map((driver) => driver.kill())));

  it.each(oneIn(4, cases))("%s", async (_, play) => {
    await play(new Stage(client, server, scene, scene.name(), drivers));
  });
});
