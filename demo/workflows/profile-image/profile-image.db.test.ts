import { expect, it } from "vitest";
import { compensate } from "../../../lib/testing/actions";
import { aDesk } from "../../../lib/testing/desk";
import { A_PNG, theOutsideWorld } from "../../../lib/testing/processes/outside-world";
import { anEngine } from "../../../lib/testing/workers/engine";
import { startSandbox } from "../../sandbox/server";
import { profileImage } from "./profile-image";

const engine = anEngine();
const world = theOutsideWorld(startSandbox);

const imageOf = async (userId: string) =>
  (await engine.rows<{ image_key: string }>("select image_key from demo.profile where user_id = $1", [userId]))[0]
    ?.image_key;

it("an image is stored, and then referred to", async () => {
  const { run } = await engine.runToEnd(profileImage, { userId: "mia", image: A_PNG });
  const imageKey = `profiles/${run.id}.png`;
  expect(run).toMatchObject({ status: "completed", output: { userId: "mia", imageKey } });
  expect(await imageOf("mia")).toBe(imageKey);
  expect(await world.blob(imageKey)).toMatchObject({ writes: 1, size: Buffer.from(A_PNG, "base64").length });
});

it("an image whose answer was lost is written again under its own key", async () => {
  await world.fault("blobs", { mode: "lose-answer", times: 1 });
  const { run } = await engine.runToEnd(profileImage, { userId: "lou", image: A_PNG });
  const imageKey = await imageOf("lou");
  expect(imageKey).toBe((run.output as { imageKey: string }).imageKey);
  expect(await world.blob(imageKey as string)).toMatchObject({ writes: 2 });
});

it("a run that could not refer to its image leaves no blob behind once it is compensated", async () => {
  await engine.rows("alter table demo.profile add constraint no_eve check (user_id <> 'eve')");
  const { run } = await engine.runToEnd(profileImage, { userId: "eve", image: A_PNG });
  expect(run).toMatchObject({ status: "failed", failed_step: "refer-to-image" });
  const imageKey = `profiles/${run.id}.png`;
  expect(await world.blob(imageKey)).toBeDefined();
  await compensate(aDesk(engine.db), { runId: run.id, reason: "nobody needs it" });
  expect((await engine.untilEnded(run.id)).run.status).toBe("compensated");
  expect(await world.blob(imageKey)).toBeUndefined();
}, 60_000);

it.each([
  ["no image", Buffer.from("hello").toString("base64")],
  ["nothing", ""],
  ["no base64", "%%%"],
])("%s is refused before anything is written", async (_, image) => {
  await expect(engine.start(profileImage, { userId: "mia", image })).rejects.toMatchObject({ code: "invalid_input" });
});
