import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineEvent } from "../lib/engine/events/event";
import { defineSchedule } from "../lib/engine/schedules/schedule";
import { defineWorkflow } from "../lib/engine/workflows/workflow";
import { aConsole } from "../lib/testing/cli/a-console";
import { handrail, hasTerminal, inBash, onTerminal } from "../lib/testing/cli/handrail";
import { aRun } from "../lib/testing/rows/a-run";
import { oneIn } from "../lib/testing/sample";
import { until } from "../lib/testing/until";

const MAIN = "cli/main.ts";
const seen = defineEvent({ name: "parcel.seen", payload: z.object({ at: z.string() }) });

/** What a step answers is cut from its error: an input that would paint the terminal red. */
const RED = "\u001b[31m";
let isDown = true;

const greet = defineWorkflow(
  {
    name: "greet",
    input: z.object({ name: z.string(), card: z.string().optional() }),
    masked: ["card"],
    tags: ({ name }) => ({ name }),
  },
  async (ctx, { name }) => {
    ctx.log(`greets ${name}`);
    return ctx.step("say", async () => ({ hello: name }), { reference: () => `ref-${name}` });
  },
);
const charge = defineWorkflow(
  { name: "charge", input: z.object({ name: z.string() }), tags: ({ name }) => ({ name }), retry: { maxAttempts: 1 } },
  (ctx) =>
    ctx.step("pay", async () => {
      if (isDown) throw new Error(`card ${RED}declined`);
      return "paid";
    }),
);
const asks = defineWorkflow({ name: "asks", input: z.object({}) }, async (ctx) => {
  const { choice } = await ctx.approval("go-on", { question: "Go on?", choices: ["yes", "no"] });
  return choice;
});
const parcel = defineWorkflow(
  { name: "parcel", input: z.object({ key: z.string() }), events: [seen] },
  async (ctx, { key }) => {
    ctx.progress(1, 3, "parcels");
    const { at } = await ctx.waitForEvent("seen", { event: seen, key });
    return at;
  },
);
const hourly = defineSchedule({ name: "hourly", workflow: greet, everyMs: 3_600_000, input: { name: "hour" } });

let site: Awaited<ReturnType<typeof aConsole>>;
let env: Record<string, string>;
beforeAll(async () => {
  site = await aConsole([greet, charge, asks, parcel], [hourly]);
  env = { HANDRAIL_URL: site.url };
});
afterAll(() => site.close());

const cli = (...args: string[]) => handrail(args, { env });
/** Which has to succeed. */
async function json(...args: string[]) {
  const { code, out, err } = await cli(...args, "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
}
const api = async (path: string) => (await fetch(`${site.url}/api${path}`)).json();
const start = async (workflow: string, input: object): Promise<string> => {
  const headers = { "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
  const body = JSON.stringify({ workflow, input });
  return ((await (await fetch(`${site.url}/api/v1/runs`, { method: "POST", headers, body })).json()) as { id: string })
    .id;
};
const untilStatus = (id: string, status: string) =>
  until(`run ${id} being ${status}`, async () => (await api(`/v1/runs/${id}`)).status === status);
const failed = async (name: string) => {
  const id = await start("charge", { name });
  await untilStatus(id, "failed");
  return id;
};
/** Of a list. */
interface Row {
  id?: string;
  name?: string;
  runId?: string;
  step?: string;
  behind?: string | null;
}
const ESCAPE = "\u001b";

describe("one run", () => {
  it("is started, waited for, shown and listed, as a table and as the API's own answer", async () => {
    const started = await json("runs", "start", "greet", "--input", '{"name":"Ada","card":"4242"}', "--key", "greet:1");
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
    expect(listed.out.split("\n")[0]).toMatch(/^ID +WORKFLOW +STATUS +TAGS +CREATED +SUMMARY$/);
    expect(listed.out).toContain(`${started.id}  greet     completed  name:Ada`);
    const { acts: _, ...answered } = await api(`/v1/runs/${started.id}`);
    expect(whole).toMatchObject(answered);
    expect(page.runs).toHaveLength(1);
    expect(followed).toMatchObject({ message: "greets Ada", during: "code" });
    expect(logs.out).toMatch(/^\S.*greets Ada\n$/);
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
    const unknown = await aRun(site.db).waitingUnknown("charge-payment");
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
    isDown = false;
    const done = await json("runs", "rerun", "--filter", filter, "--reason", "it is back", "--yes", "--canary", "0");
    isDown = true;
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

describe("everything else", () => {
  it("a compensation is listed, assigned, and recorded with its reference; the others follow", async () => {
    const id = await aRun(site.db).compensating();
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
    expect(listed.out).toMatch(new RegExp(`${id} +\\S+ +send-confirmation +by_hand +.*Ada`));
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
    const made = await cli("tokens", "create", "shop", "--scope", "run.start", "--days", "2", "--reason", "the shop");
    expect(made.out).toMatch(/^hr_\S+\n$/);
    const [token] = (await json("tokens", "list")).tokens;
    expect((await cli("tokens", "revoke", token.id, "--reason", "over")).out).toBe(`Revoked ${token.id}\n`);
    expect((await cli("tokens", "list")).out).toMatch(/shop +revoked .* run\.start/);
  });

  it("the database's own commands run without a console", async () => {
    const own = { env: { HANDRAIL_URL: "http://127.0.0.1:1", DATABASE_URL: site.database.url } };
    const tsx = (args: string) => inBash(`${process.execPath} --import tsx ${MAIN} ${args}`, own);
    const [doctor, migrated, verified] = await Promise.all([tsx("doctor"), tsx("migrate"), tsx("audit head")]);
    expect(doctor.out).toMatch(/All \d+ rules hold\.\n$/);
    expect(migrated).toMatchObject({ code: 0, out: "The database is up to date.\n" });
    expect(JSON.parse(verified.out)).toMatchObject({ seq: expect.any(Number) });
  });

  const LISTS = ["runs", "problems", "approvals", "compensations", "schedules", "workflows", "operations", "tokens"];
  it.each(oneIn(2, LISTS))("%s list --json is the answer of the API", async (noun) => {
    const { updatedAt: _, ...listed } = await json(noun, "list");
    const { updatedAt: __, ...answered } = await api(`/v1/${noun}`);
    expect(Object.keys(listed)).toEqual(Object.keys(answered));
    expect(listed[noun].map(({ id, name, runId, step }: Row) => id ?? name ?? [runId, step])).toEqual(
      answered[noun].map(({ id, name, runId, step }: Row) => id ?? name ?? [runId, step]),
    );
  });

  it("wrong words get a suggestion, and no answer has its own exit code", async () => {
    const token = "hr_secret-of-the-tests";
    const [word, nested, option, nobody, warned, help] = await Promise.all([
      cli("rnus"),
      cli("runs", "lst"),
      cli("runs", "list", "--fliter", "x"),
      handrail(["runs", "list", "--json"], { env: { HANDRAIL_URL: "http://127.0.0.1:1", HANDRAIL_TOKEN: token } }),
      cli("runs", "list", "--token", token),
      cli("--help"),
    ]);
    expect([word, nested, option].map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(word.err).toContain("Did you mean runs?");
    expect(nested.err).toContain("Did you mean list?");
    expect(option.err).toContain("Did you mean --filter?");
    expect(nobody).toMatchObject({ code: 4, out: "" });
    expect(JSON.parse(nobody.err).error.code).toBe("unreachable");
    expect(warned.err).toContain("HANDRAIL_TOKEN");
    expect(nobody.err + warned.err + warned.out).not.toContain(token);
    expect(help).toMatchObject({ code: 0, err: "" });
  });

  it("a broken pipe ends quietly", async () => {
    const { out, err } = await inBash(`$HANDRAIL runs list --limit 200 | head -1; echo \${PIPESTATUS[0]}`, { env });
    expect(out).toMatch(/^ID .*\n0\n$/);
    expect(err).toBe("");
  });

  it("bash completes commands and options", async () => {
    const completed = (words: string, at: number) =>
      `COMP_WORDS=(${words}); COMP_CWORD=${at}; _handrail; echo "\${COMPREPLY[@]}"`;
    const lines = [completed("handrail runs re", 2), completed("handrail runs list --fi", 3)];
    const { out } = await inBash(`source <($HANDRAIL completion bash); ${lines.join("; ")}`);
    expect(out).toBe("rerun resume resolve\n--filter\n");
    const [zsh, fish] = await Promise.all([cli("completion", "zsh"), cli("completion", "fish")]);
    expect(zsh.out).toContain("'runs list'");
    expect(fish.out).toContain(`-n "__handrail_at 'runs'" -f -a list`);
  });
});

describe.skipIf(!hasTerminal)("on a terminal", () => {
  it("asks for the reason and for a yes, draws a bar, and colours what people read", async () => {
    const ids = [await start("parcel", { key: "t-1" }), await start("parcel", { key: "t-2" })];
    await Promise.all(ids.map((id) => untilStatus(id, "waiting")));
    const many = `$HANDRAIL runs cancel ${ids.join(" ")} --canary 0`;
    const declined = await onTerminal(
      many,
      [
        ["audit log): ", "not wanted\r"],
        ["(y/N) ", "n\r"],
      ],
      env,
    );
    expect(declined).toMatchObject({ code: 1, out: expect.stringContaining("Nothing was changed.") });
    const paused = await onTerminal(`$HANDRAIL runs pause ${ids[0]}`, [["audit log): ", "a look\r"]], env);
    expect(paused).toMatchObject({ code: 0, out: expect.stringContaining(`Paused ${ids[0]}`) });
    const done = await onTerminal(
      many,
      [
        ["audit log): ", "not wanted\r"],
        ["Cancel 2 runs? (y/N) ", "y\r"],
      ],
      env,
    );
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/operation █+.* 2\/2/) });
    expect(done.out).toContain(`${ESCAPE}[`);
    const plainly = await onTerminal("$HANDRAIL runs list --limit 2 --no-color", [], env);
    expect(plainly.out).not.toContain(ESCAPE);
  });

  it("Ctrl-C ends a watch with 130, and leaves the terminal as it was", async () => {
    const id = await start("parcel", { key: "t-3" });
    await untilStatus(id, "waiting");
    const line = `$HANDRAIL runs watch ${id}; echo "code $?"; stty -a`;
    const { out } = await onTerminal(line, [["1/3 parcels", "\u0003"]], env);
    expect(out).toContain("code 130");
    expect(out.lastIndexOf(`${ESCAPE}[?25h`)).toBeGreaterThan(out.lastIndexOf(`${ESCAPE}[?25l`));
    expect(out).toMatch(/ icanon /);
    expect(out).toMatch(/[ ;]echo /);
  });
});
