import { describe, expect, it } from "vitest";
import { randomHex } from "../../lib/testing/api/otlp";
import { aRun } from "../../lib/testing/rows/a-run";
import { api, aSite, cli, ESCAPE, failed, json, receiveSpans, start, untilStatus } from "./setting";

describe("one run", () => {
  it("is started, waited for, shown and listed, as a table and as the API's own answer", async () => {
    const how = ["--key", "greet:1", "--begin-within", "10m", "--end-within", "1h", "--on-version", "1"];
    const started = await json("runs", "start", "greet", "--input", '{"name":"Ada","card":"4242"}', ...how);
    expect((await cli("runs", "wait", started.id)).code).toBe(0);
    const [shown, whole, listed, page, logs, followed] = await Promise.all([
      cli("runs", "show", started.id),
      json("runs", "show", started.id),
      cli("runs", "list", "--filter", "workflow:greet -status:failed tag.name:Ada"),
      json("runs", "list", "--filter", "workflow:greet", "--limit", "1"),
      cli("runs", "logs", started.id),
      json("runs", "logs", started.id, "--follow"),
    ]);
    expect(shown.out).toContain("completed");
    expect(shown.out).toMatch(/say +step +completed +1\/4 +.* ref-Ada\n/);
    expect(shown.out).not.toContain("4242");
    expect(shown.out + listed.out).not.toContain(ESCAPE);
    expect(listed.out.split("\n")[0]).toMatch(/^ID +TITLE +WORKFLOW +STATUS +TAGS +CREATED +SUMMARY$/);
    expect(listed.out).toMatch(new RegExp(`${started.id}  greet:1 +greet +completed +name:Ada`));
    const { acts: _, ...answered } = await api(`/v1/runs/${started.id}`);
    expect(whole).toMatchObject({ ...answered, chosenVersion: 1 });
    expect(Date.parse(whole.deadlineAt) - Date.parse(whole.beginBy)).toBeCloseTo(50 * 60_000, -1);
    expect(page.runs).toHaveLength(1);
    expect(followed).toMatchObject({ message: "greets Ada", during: "code" });
    expect(logs.out).toMatch(/^\S.*greets Ada\n$/);
  });

  it("shows the spans that were received of it, below their parents, and the same as the API", async () => {
    const id = await start("greet", { name: "Ada" });
    expect((await cli("runs", "spans", id)).out).toMatch(
      /^No spans were received of this run\. Its trace is [0-9a-f]{32}\.\n$/,
    );
    const [traceId, spanId] = [randomHex(32), randomHex(16)];
    const began = `${Date.now() - 1_000}000000`;
    await receiveSpans([
      { runId: id, traceId, spanId, name: "POST /charges", startTimeUnixNano: began },
      { runId: id, traceId, parentSpanId: spanId, name: `select\u001b[31m` },
      { runId: id, name: "another", startTimeUnixNano: `${Date.now() + 10}000000` },
    ]);
    const [shown, page, whole] = await Promise.all([
      cli("runs", "spans", id),
      cli("runs", "spans", id, "--limit", "1"),
      json("runs", "spans", id),
    ]);
    expect(shown.out).toMatch(
      /^BEGAN +TOOK +SERVICE +SPAN\n.+ 1 s +shop +POST \/charges\n.+ shop {7}select\\u001b\[31m\n.+another\n$/,
    );
    expect(shown.out).not.toContain(ESCAPE);
    expect(page.err).toMatch(/^There is more: --cursor \S+\n$/);
    const { updatedAt: _, ...answered } = await api(`/v1/runs/${id}/spans`);
    expect(whole).toMatchObject(answered);
    expect(whole.spans).toHaveLength(3);
  });

  it("that fails ends wait and watch with 3, without what its error would do to a terminal", async () => {
    const id = await failed("Bob");
    const [waited, watched, logged] = await Promise.all([
      cli("runs", "wait", id),
      cli("runs", "watch", id, "--json"),
      cli("runs", "watch", id),
    ]);
    expect([waited.code, watched.code, logged.code]).toEqual([3, 3, 3]);
    expect(JSON.parse(watched.out.trim().split("\n").at(-1) as string)).toMatchObject({ id, status: "failed" });
    expect(logged.out).toMatch(/pay {2}failed/);
    expect(waited.out).toContain("card \\u001b[31mdeclined");
    expect(waited.out + logged.out).not.toContain(ESCAPE);
  });

  it("is paused, resumed, cancelled and rerun with a reason in the audit log", async () => {
    const id = await start("parcel", { key: "p-1" });
    await untilStatus(id, "waiting");
    expect((await cli("runs", "wait", id, "--timeout", "1s")).code).toBe(5);
    expect(await cli("runs", "pause", id)).toMatchObject({ code: 2, err: expect.stringContaining("--reason") });
    expect((await json("runs", "pause", id, "--reason", "a pause")).status).toBe("paused");
    expect((await cli("runs", "resume", id, "--reason", "go on")).out).toContain(`Resumed ${id}\n`);
    expect((await cli("runs", "cancel", id, "--reason", "not wanted")).out).toMatch(/^Cancelled .*\nstatus +cancelled/);
    const { audit } = await api(`/v1/runs/${id}`);
    expect(audit.map(({ reason }: { reason: string }) => reason).sort()).toEqual(["a pause", "go on", "not wanted"]);
    const again = await cli("runs", "cancel", id, "--reason", "again");
    expect(again).toMatchObject({ code: 1, out: "" });
    expect(again.err).toMatch(/^The run has ended \(cancelled\)\.\nnot_allowed · [0-9a-f-]{36}\n$/);
    const object = await cli("runs", "cancel", id, "--reason", "again", "--json");
    expect(JSON.parse(object.err).error).toMatchObject({ code: "not_allowed", requestId: expect.any(String) });
  });

  it("whose step is unknown is resolved, and an event and an answer reach who waits", async () => {
    const unknown = await aRun(aSite().db).waitingUnknown("charge-payment");
    const [waiting, asking] = await Promise.all([start("parcel", { key: "p-2" }), start("asks", {})]);
    await Promise.all([waiting, asking].map((id) => untilStatus(id, "waiting")));
    const [resolved, , , approvals] = await Promise.all([
      cli("runs", "resolve", unknown, "--outcome", "skip", "--reason", "seen there"),
      cli("events", "send", "parcel.seen", "--key", "p-2", "--payload", '{"at":"Berlin"}'),
      cli("events", "send", "nothing", "--payload", "{").then(({ code }) => expect(code).toBe(2)),
      cli("approvals", "list"),
    ]);
    expect(resolved.out).toContain(`Resolved ${unknown}`);
    expect(approvals.out).toMatch(new RegExp(`${asking} +asks +go-on +yes \\| no .*Go on\\?`));
    expect((await cli("approvals", "answer", asking, "go-on", "maybe")).code).toBe(1);
    expect((await cli("approvals", "answer", asking, "go-on", "yes")).out).toContain('Answered "yes"');
    const ended = await Promise.all([waiting, asking].map((id) => json("runs", "wait", id)));
    expect(ended.map(({ output }) => output)).toEqual(["Berlin", "yes"]);
  });
});
