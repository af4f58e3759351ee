import { expect, it } from "vitest";
import { theOutsideWorld } from "../../../lib/testing/processes/outside-world";
import { anEngine } from "../../../lib/testing/workers/engine";
import { startSandbox } from "../../sandbox/server";
import { userSync } from "./user-sync";

const engine = anEngine();
const world = theOutsideWorld(startSandbox);

const synced = () => engine.rows<{ id: string; name: string }>("select id, name from demo.synced_user order by id");

it("every user of the directory is copied, in a step each", async () => {
  await world.fault("users", { mode: "flaky", rate: 1, times: 1 });
  const { run, steps } = await engine.runToEnd(userSync);
  expect(run).toMatchObject({ status: "completed", output: { synced: 12 } });
  expect(steps).toHaveLength(13);
  expect(await synced()).toHaveLength(12);
});

it("the next run brings what has changed, and keeps the rest", async () => {
  const before = await synced();
  const users = before.map(({ id, name }) => ({
    id,
    name: id === "user-03" ? "Annie J. Easley" : name,
    email: `${id}@example.com`,
  }));
  await world.put("/users", { users: [...users, { id: "user-99", name: "New Here", email: "new@example.com" }] });
  expect((await engine.runToEnd(userSync)).run.output).toEqual({ synced: 13 });
  const after = await synced();
  expect(after).toHaveLength(13);
  expect(after.find(({ id }) => id === "user-03")?.name).toBe("Annie J. Easley");
});
