import { describe, expect, it } from "vitest";
import { cli, failed, gateway, json, start, untilStatus } from "./setting";

describe("many runs", () => {
  it("are planned, refused with the reason, and carried out only with a yes", async () => {
    const ids = [await failed("plan-a"), await failed("plan-b"), await start("greet", { name: "plan-c" })];
    await untilStatus(ids[2] as string, "completed");
    const filter = "tag.name:plan-a tag.name:plan-b tag.name:plan-c";
    const [dry, unattended, empty, wrong] = await Promise.all([
      cli("runs", "rerun", "--filter", filter, "--dry-run"),
      cli("runs", "rerun", "--filter", filter, "--reason", "it is back"),
      cli("runs", "cancel", "--filter", " ", "--reason", "all of them", "--yes"),
      cli("runs", "list", "--filter", "status:broken"),
    ]);
    expect(dry).toMatchObject({ code: 0, out: expect.stringMatching(/^Rerun 2 runs of 3 selected\n/) });
    expect(dry.out).toMatch(/1 left out +The run completed: no step failed/);
    expect(unattended).toMatchObject({ code: 2, err: expect.stringContaining("--yes") });
    expect([empty.code, wrong.code]).toEqual([2, 2]);
    gateway.isDown = false;
    const done = await json("runs", "rerun", "--filter", filter, "--reason", "it is back", "--yes", "--canary", "0");
    gateway.isDown = true;
    expect(done).toMatchObject({ status: "completed", counts: { total: 2, done: 2 } });
    const [list, shown] = await Promise.all([cli("operations", "list"), cli("operations", "show", done.id)]);
    expect(list.out).toMatch(new RegExp(`${done.id} +Rerun +completed +2/2 .*it is back`));
    expect(shown.out).toMatch(/^operation +.*\nstatus +completed\ndone +2 of 2\n/);
    const ended = await cli("operations", "pause", done.id, "--reason", "a look");
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining("not_allowed") });
    const none = await cli("runs", "cancel", ...ids, "--reason", "too late", "--yes");
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining("leaves out every run") });
  });
});
