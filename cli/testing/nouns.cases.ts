import { describe, expect, it } from "vitest";
import { aRun } from "../../lib/testing/rows/a-run";
import { oneIn } from "../../lib/testing/sample";
import { until } from "../../lib/testing/until";
import { api, aSite, cli, failed, fireAlert, json } from "./setting";

/** Of a list. */
interface Row {
  id?: string;
  name?: string;
  runId?: string;
  step?: string;
  behind?: string | null;
}

describe("every noun but runs", () => {
  it("a compensation is listed, assigned, and recorded with its reference; the others follow", async () => {
    const id = await aRun(aSite().db).compensating();
    const { compensations } = await json("compensations", "list");
    expect(compensations.map(({ step, behind }: Row) => [step, behind]).sort()).toEqual([
      ["charge-payment", "send-confirmation"],
      ["create-order", "send-confirmation"],
      ["send-confirmation", null],
    ]);
    const nobody = await cli("compensations", "assign", id, "send-confirmation");
    expect(nobody).toMatchObject({ code: 2, err: expect.stringContaining("--nobody") });
    expect((await cli("compensations", "assign", id, "send-confirmation", "Ada")).out).toContain(`Assigned`);
    const listed = await cli("compensations", "list", "--assignee", "Ada");
    expect(listed.out).toMatch(new RegExp(`${id} +.*send-confirmation +by_hand +.*Ada`));
    expect((await json("compensations", "list", "--unassigned")).compensations).toHaveLength(2);
    const resolve = ["compensations", "resolve", id, "send-confirmation", "--outcome", "compensated"];
    expect(await cli(...resolve)).toMatchObject({ code: 2, err: expect.stringContaining("--note") });
    const resolved = await cli(...resolve, "--note", "called the customer", "--reference", "call-1");
    expect(resolved.out).toContain(`Recorded a compensation of ${id}`);
    const [settled] = (await json("compensations", "list", "--lane", "settled")).compensations;
    expect(settled.compensation).toMatchObject({ status: "completed", reference: "call-1", by: expect.any(String) });
  });

  it("problems, schedules, workflows and tokens, each as a table and as JSON", async () => {
    await failed("problem");
    const problem = await until("a problem", async () => (await api("/v1/problems")).problems[0]);
    const [problems, shown, workflows, workflow, unknown] = await Promise.all([
      cli("problems", "list", "--status", "open"),
      cli("problems", "show", problem.id),
      json("workflows", "list"),
      cli("workflows", "show", "greet"),
      cli("workflows", "show", "greets"),
    ]);
    expect(problems.out).toMatch(new RegExp(`${problem.id} +open +charge +pay `));
    expect(shown.out).toMatch(/^problem +.*\nstatus +open\nworkflow +charge\n/);
    expect(workflows.workflows.map(({ name }: { name: string }) => name)).toContain("greet");
    expect(workflow.out).toMatch(/^workflow +greet\n/);
    expect(unknown.code).toBe(1);
    const ran = await json("schedules", "run", "hourly", "--reason", "now");
    expect(ran.runIds).toHaveLength(1);
    await cli("schedules", "pause", "hourly", "--reason", "a holiday");
    expect((await cli("schedules", "list")).out).toMatch(/hourly +greet +every 1 h +paused/);
    expect((await cli("schedules", "resume", "hourly", "--reason", "back")).out).toBe("Resumed hourly\n");
    const put = ["schedules", "put", "for-acme", "--workflow", "greet", "--every", "2h", "--reason", "a customer"];
    const input = ["--input", '{"name":"Acme"}'];
    expect((await cli(...put, ...input)).out).toBe("Made for-acme\n");
    expect((await cli(...put, ...input, "--title", "For Acme")).out).toBe("Changed for-acme\n");
    expect((await cli(...put, ...input, "--title", "For Acme")).out).toBe("Nothing to change in for-acme\n");
    expect((await cli(...put, "--cron", "0 3 * * *", ...input)).err).toContain(
      "either cron with a time zone, or everyMs",
    );
    expect((await cli("schedules", "remove", "hourly", "--reason", "over")).err).toContain("is defined in code");
    expect((await cli("schedules", "remove", "for-acme", "--reason", "over")).out).toBe("Removed for-acme\n");
    const made = await cli("tokens", "create", "shop", "--scope", "run.start", "--days", "2", "--reason", "the shop");
    expect(made.out).toMatch(/^hr_\S+\n$/);
    const [token] = (await json("tokens", "list")).tokens;
    expect((await cli("tokens", "revoke", token.id, "--reason", "over")).out).toBe(`Revoked ${token.id}\n`);
    expect((await cli("tokens", "list")).out).toMatch(/shop +revoked .* run\.start/);
  });

  it("a problem is probed until a run gets through, or until a person stops it", async () => {
    await failed("probed");
    const problem = await until("a problem", async () => (await api("/v1/problems?status=open")).problems[0]);
    const waited = await cli("problems", "probe", problem.id, "--tries", "1", "--wait", "--reason", "is it back?");
    expect(waited).toMatchObject({
      code: 3,
      out: expect.stringMatching(/^probe +.*\nstatus +failed\nbecause +The rerun failed again/),
    });
    const begun = await json("problems", "probe", problem.id, "--reason", "and now?");
    expect(begun.probe).toMatchObject({ status: "running", mostTries: 8, tries: [{ number: 1 }] });
    const stopped = await cli("problems", "stop-probe", problem.id, "--reason", "enough");
    expect(stopped.out).toMatch(/status +stopped\nbecause +Stopped by .*: enough\n/);
    expect(await cli("problems", "stop-probe", problem.id, "--reason", "again")).toMatchObject({ code: 1 });
    expect((await cli("problems", "show", problem.id)).out).toContain("Stopped by");
  });

  it("a problem is watched, is in the list of what the caller watches, and is no longer", async () => {
    await failed("watched");
    const problem = await until("a problem", async () => (await api("/v1/problems")).problems[0]);
    const begun = await cli("problems", "watch", problem.id);
    expect(begun.out).toMatch(new RegExp(`^problem +${problem.id}\nwatchers +.+ \\(you\\)\n`));
    expect((await json("problems", "list", "--watched")).problems).toMatchObject([
      { id: problem.id, watch: { change: null } },
    ]);
    expect(await cli("problems", "watch", problem.id)).toMatchObject({ code: 1 });
    expect((await cli("problems", "unwatch", problem.id)).out).toMatch(/watchers +nobody\n/);
    expect((await cli("problems", "list", "--watched")).out).toBe("No problems.\n");
  });

  it("alert rules are listed, muted for a while, and acknowledged while they fire", async () => {
    // The runs of the cases before fail, which it may have seen by now: it fires after two minutes.
    expect((await cli("alerts", "list")).out).toMatch(/\nfailing +(ok|pending) .*more than 20 % of the runs failed/);
    const muted = await json("alerts", "mute", "failing", "--for", "2h", "--reason", "a load test");
    expect(Date.parse(muted.mutedUntil) - Date.now()).toBeGreaterThan(7_000_000);
    expect((await cli("alerts", "list")).out).toMatch(/failing +(ok|pending), muted/);
    const off = await cli("alerts", "mute", "failing", "--off", "--reason", "it is over");
    expect(off.out).toBe("No longer muted: failing\n");
    expect(await cli("alerts", "ack", "failing")).toMatchObject({
      code: 2,
      err: expect.stringContaining("does not fire"),
    });
    expect((await cli("alerts", "ack", "unknown")).err).toContain("There is no alert rule");
    await fireAlert("backlog-old");
    expect((await cli("alerts", "ack", "backlog-old")).out).toBe("Acknowledged backlog-old\n");
    expect((await cli("alerts", "list")).out).toMatch(/backlog-old +firing \(acknowledged\)/);
  });

  it("a deploy is marked by a pipeline with its version, commit and page, whatever the program's own options mean", async () => {
    const mark = ["deploys", "mark", "--version=2.0.0", "--commit", "0a1b2c3d4e5f"];
    const first = await json(...mark, "--url", "https://ci.example/8");
    expect(first).toMatchObject({ name: "0a1b2c3", version: "2.0.0", url: "https://ci.example/8", workflows: [] });
    expect((await json(...mark)).id).toBe(first.id);
    expect(await cli("deploys", "mark", "--url", "https://ci.example/9")).toMatchObject({
      code: 1,
      err: expect.stringContaining("Give a version, a commit, or both."),
    });
    expect((await cli("deploys", "mark", "--commit", "0a1b2c3", "--url", "javascript:alert(1)")).code).toBe(1);
    expect((await cli("deploys", "list")).out).toMatch(/0a1b2c3 +2\.0\.0 +\S+ +https:\/\/ci\.example\/8\n/);
  });

  const LISTS = [
    "runs",
    "problems",
    "approvals",
    "compensations",
    "schedules",
    "workflows",
    "operations",
    "tokens",
    "deploys",
  ];
  it.each(oneIn(2, LISTS))("%s list --json is the answer of the API", async (noun) => {
    const { updatedAt: _, ...listed } = await json(noun, "list");
    const { updatedAt: __, ...answered } = await api(`/v1/${noun}`);
    expect(Object.keys(listed)).toEqual(Object.keys(answered));
    expect(listed[noun].map(({ id, name, runId, step }: Row) => id ?? name ?? [runId, step])).toEqual(
      answered[noun].map(({ id, name, runId, step }: Row) => id ?? name ?? [runId, step]),
    );
  });
});
