import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { hasTerminal, onTerminal } from "../../lib/testing/cli/handrail";
import { aRun } from "../../lib/testing/rows/a-run";
import { oneIn } from "../../lib/testing/sample";
import { until } from "../../lib/testing/until";
import {
  api,
  aSite,
  cli,
  ESCAPE,
  failed,
  fireAlert,
  json,
  MAIN,
  receiveSpans,
  siteEnv,
  start,
  untilStatus,
  waiting,
} from "./setting";

/** What prints a table or facts, and how that begins. */
const SHOWN: [words: string, begins: RegExp][] = Object.entries({
  "runs list": /^ID +TITLE +WORKFLOW +STATUS +TAGS +CREATED +SUMMARY\r\n/,
  "runs show RUN": /^run +[0-9a-f-]{36}\r\ntitle +Ada\r\nworkflow +greet, version 1\r\nstatus +completed\r\n/,
  "runs wait RUN": /^run +[0-9a-f-]{36}\r\n/,
  "runs logs RUN": /^\S.* greets Ada\r\n$/,
  "logs search greets": /^[0-9a-f-]{36} greet .* greets Ada\r\n/,
  "runs spans RUN": /^BEGAN +TOOK +SERVICE +SPAN\r\n\S+ +20 ms +shop +POST \/charges\r\n/,
  "problems list": /^ID +STATUS +WORKFLOW +STEP +OPEN RUNS +FAILURES +LAST +ERROR\r\n/,
  "problems show PROBLEM": /^problem +[0-9a-f-]{36}\r\n/,
  "approvals list": /^RUN +TITLE +WORKFLOW +STEP +CHOICES +SINCE +EXPIRES +QUESTION\r\n/,
  "compensations list": /^RUN +TITLE +WORKFLOW +STEP +LANE +OWED +ASSIGNEE +REFERENCE +WHAT TO DO\r\n/,
  "alerts list": /^RULE +STATE +SINCE +NOW +FIRES WHEN\r\n/,
  "schedules list": /^NAME +WORKFLOW +TIMING +NEXT +LAST\r\nhourly +greet +every 1 h/,
  "workflows list": /^NAME +VERSION +WORKERS +RUNNING +BACKLOG +SEEN +INTAKE\r\n/,
  "workflows show greet": /^workflow +greet\r\n/,
  "deploys mark --version 1.4.0 --commit 9f3c2d1e00aa --url https://ci.example/7 --at 2026-11-20T04:40:00Z":
    /^deploy +9f3c2d1\r\nversion +1\.4\.0\r\ncommit +9f3c2d1e00aa\r\nat +.*\r\nurl +https:\/\/ci\.example\/7\r\nmarked by +\S+/,
  "deploys list": /^WHEN +DEPLOY +VERSION +WORKFLOWS +MARKED BY +URL\r\n/,
  "operations list": /^ID +ACTION +STATUS +/,
  "operations show OPERATION": /^operation +[0-9a-f-]{36}\r\nstatus +completed\r\n/,
  "tokens list": /^ID +NAME +EXPIRES +USED +CREATED BY +SCOPES\r\n/,
});

/** Each word of `SHOWN` in capitals, as an id. */
async function idsToShow(): Promise<Record<string, string>> {
  await failed("shown");
  const [run, cancelled] = [await start("greet", { name: "Ada" }), [await waiting("s-1"), await waiting("s-2")]];
  await untilStatus(run, "completed");
  await receiveSpans([{ runId: run, name: "POST /charges" }]);
  const cancel = ["runs", "cancel", ...cancelled, "--reason", "not wanted", "--yes", "--canary", "0"];
  const [problem, operation] = await Promise.all([
    until("a problem", async () => (await api("/v1/problems")).problems[0]),
    json(...cancel),
    cli("tokens", "create", "shown", "--scope", "run.start", "--reason", "to be shown"),
    start("asks", {}).then((id) => untilStatus(id, "waiting")),
    aRun(aSite().db).compensating(),
  ]);
  return { RUN: run, PROBLEM: problem.id, OPERATION: operation.id };
}

const withIds = (words: string, ids: Record<string, string>) => words.replace(/[A-Z]+$/, (name) => ids[name] ?? name);

describe.skipIf(!hasTerminal)("on a terminal", () => {
  it("asks for the reason and for a yes, draws a bar, and colours what people read", async () => {
    const ids = [await waiting("t-1"), await waiting("t-2")];
    const many = `$HANDRAIL runs cancel ${ids.join(" ")} --canary 0`;
    const declined = await onTerminal(
      many,
      [
        ["audit log): ", "not wanted\r"],
        ["(y/N) ", "n\r"],
      ],
      siteEnv(),
    );
    expect(declined).toMatchObject({ code: 1, out: expect.stringContaining("Nothing was changed.") });
    const paused = await onTerminal(`$HANDRAIL runs pause ${ids[0]}`, [["audit log): ", "a look\r"]], siteEnv());
    expect(paused).toMatchObject({ code: 0, out: expect.stringContaining(`Paused ${ids[0]}`) });
    const done = await onTerminal(
      many,
      [
        ["audit log): ", "not wanted\r"],
        ["Cancel 2 runs? (y/N) ", "y\r"],
      ],
      siteEnv(),
    );
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/operation █+.* 2\/2/) });
    expect(done.out).toContain(`${ESCAPE}[`);
    const plainly = await onTerminal("$HANDRAIL runs list --limit 2 --no-color", [], siteEnv());
    expect(plainly.out).not.toContain(ESCAPE);
  });

  it("asks for a word before what cannot be restored", async () => {
    const past = { createdAt: new Date(0), tags: { email: "terminal@example.com" } };
    const id = await aRun(aSite().db, past).completed();
    const reason = ["audit log): ", "asked for\r"] as const;
    const erasing = "$HANDRAIL erase --tag email=terminal@example.com";
    const declined = await onTerminal(erasing, [reason, ['Type "erase" to confirm: ', "yes\r"]], siteEnv());
    expect(declined).toMatchObject({ code: 1, out: expect.stringContaining("Nothing was changed.") });
    const erased = await onTerminal(erasing, [reason, ['Type "erase" to confirm: ', "erase\r"]], siteEnv());
    expect(erased).toMatchObject({ code: 0, out: expect.stringContaining("1 of 1") });
    expect((await api(`/v1/runs/${id}`)).input).toEqual({ $type: "erased" });
    const deleting = `$HANDRAIL runs delete ${id}`;
    const gone = await onTerminal(deleting, [reason, ['Type "delete" to confirm: ', "delete\r"]], siteEnv());
    expect(gone.code).toBe(0);
    expect((await api(`/v1/runs/${id}`)).error.code).toBe("unknown_run");
  });

  it("Ctrl-C ends a watch with 130, and leaves the terminal as it was", async () => {
    const id = await waiting("t-3");
    const line = `$HANDRAIL runs watch ${id}; echo "code $?"; stty -a`;
    const { out } = await onTerminal(line, [["1/3 parcels", "\u0003"]], siteEnv());
    expect(out).toContain("code 130");
    expect(out.lastIndexOf(`${ESCAPE}[?25h`)).toBeGreaterThan(out.lastIndexOf(`${ESCAPE}[?25l`));
    expect(out).toMatch(/ icanon /);
    expect(out).toMatch(/[ ;]echo /);
  });

  it("Ctrl-C ends the following of a log, too", async () => {
    const id = await waiting("t-4");
    const line = `$HANDRAIL runs logs ${id} --follow; echo "code $?"`;
    expect((await onTerminal(line, [["waits for t-4", "\u0003"]], siteEnv())).out).toContain("code 130");
  });

  it("tables have coloured heads there, none in a pipe, and as JSON none either", async () => {
    const ids = await idsToShow();
    const shown = oneIn(2, SHOWN);
    const commands = shown.map(([words]) => withIds(words, ids));
    const line = ["stty cols 200", ...commands.map((words) => `echo "== ${words}"; $HANDRAIL ${words}`)].join("; ");
    const [terminal, piped, asJson] = await Promise.all([
      onTerminal(line, [], siteEnv()),
      Promise.all(commands.map((words) => cli(...words.split(" ")))),
      onTerminal("$HANDRAIL workflows show greet --json", [], siteEnv()),
    ]);
    const sections = terminal.out.split(/^== .*\r\n/m).slice(1);
    expect(sections.map(stripVTControlCharacters)).toEqual(shown.map(([, begins]) => expect.stringMatching(begins)));
    expect(sections.filter((text) => !text.includes(`${ESCAPE}[90m`))).toEqual([]);
    expect(piped.filter(({ code, out }) => code !== 0 || out.includes(ESCAPE))).toEqual([]);
    expect(asJson.out).not.toContain(ESCAPE);
    expect(JSON.parse(asJson.out)).toMatchObject({ name: "greet", version: 1 });
  });

  it("every action asks for its reason, and says what it did", async () => {
    const { db } = aSite();
    const [run, unknown, owed, rerun] = await Promise.all([
      waiting("t-5"),
      aRun(db).waitingUnknown("charge-payment"),
      aRun(db).compensating(),
      failed("asked"),
    ]);
    const completed = await aRun(db).completed();
    const asking = await start("asks", {});
    await untilStatus(asking, "waiting");
    const ended = await json("runs", "cancel", await waiting("t-6"), await waiting("t-7"), "--reason", "x", "--yes");
    await cli("tokens", "create", "asked", "--scope", "run.start", "--reason", "to be revoked");
    const token = (await json("tokens", "list")).tokens.find(({ name }: { name: string }) => name === "asked");
    await failed("to be probed");
    const problem = await until("a problem", async () =>
      // Others, of unknown outcomes, are there too: no rerun answers what they ask.
      (await api("/v1/problems?status=open")).problems.find(
        ({ workflow, openRuns }: { workflow: string; openRuns: number }) => workflow === "charge" && openRuns > 0,
      ),
    );
    const asked = oneIn<[words: string, says: string][]>(2, [
      [
        [`$HANDRAIL runs pause ${run}`, `Paused ${run}`],
        [`$HANDRAIL runs resume ${run}`, `Resumed ${run}`],
        [`$HANDRAIL runs rerun ${rerun}`, `Reran ${rerun}`],
      ],
      [
        [`$HANDRAIL runs compensate ${completed}`, completed],
        [`$HANDRAIL runs resolve ${unknown} --outcome skip`, `Resolved ${unknown}`],
        [`$HANDRAIL compensations resolve ${owed} send-confirmation --outcome waived`, "Waived a compensation"],
      ],
      [
        ["$HANDRAIL schedules pause hourly", "Paused hourly"],
        ["$HANDRAIL schedules resume hourly", "Resumed hourly"],
        ["$HANDRAIL schedules run hourly", "Started hourly"],
        [`$HANDRAIL schedules put daily --workflow greet --every 24h --input "{\\"name\\":\\"Ada\\"}"`, "Made daily"],
        ["$HANDRAIL schedules remove daily", "Removed daily"],
        ["$HANDRAIL alerts mute failing --for 2h", "Muted failing until"],
        [`$HANDRAIL tokens revoke ${token.id}`, `Revoked ${token.id}`],
      ],
      [
        [`$HANDRAIL problems probe ${problem.id}`, "probe "],
        [`$HANDRAIL problems stop-probe ${problem.id}`, "Stopped by"],
      ],
      [
        ["$HANDRAIL tokens create typed --scope run.start", "hr_"],
        [`$HANDRAIL operations pause ${ended.id}`, "not_allowed"],
        [`$HANDRAIL operations resume ${ended.id}`, "not_allowed"],
        [`$HANDRAIL operations abort ${ended.id}`, "not_allowed"],
      ],
    ]).flat();
    const answers = asked.flatMap(([, says]) => [["audit log): ", "as it should be\r"] as const, [says, ""] as const]);
    await onTerminal(asked.map(([words]) => words).join("; "), answers, siteEnv());
    const { rows } = await api("/v1/audit?limit=50");
    const reasons = rows.map(({ reason }: { reason: string }) => reason);
    expect(reasons).toContain("as it should be");
  });

  it("what asks nothing answers at once", async () => {
    const owed = await aRun(aSite().db).compensating();
    const [asking, run] = [await start("asks", {}), await waiting("t-8")];
    const greeted = await start("greet", { name: "Ada" });
    const report = await start("reports", {});
    await untilStatus(report, "completed");
    await untilStatus(asking, "waiting");
    await fireAlert("no-worker");
    await failed("to be watched");
    const problem = await until("a problem", async () => (await api("/v1/problems")).problems[0]);
    const lines = [
      `$HANDRAIL runs start greet --input "{\\"name\\":\\"Eve\\"}" --key typed --header tenant=acme`,
      `$HANDRAIL approvals answer ${asking} go-on yes`,
      `$HANDRAIL compensations assign ${owed} send-confirmation Ada`,
      `$HANDRAIL events send parcel.seen --run ${run} --payload "{\\"at\\":\\"Bern\\"}"`,
      "$HANDRAIL alerts ack no-worker",
      `$HANDRAIL problems watch ${problem.id}`,
      `$HANDRAIL problems unwatch ${problem.id}`,
      `$HANDRAIL runs published ${greeted} greeting --timeout 1m`,
      `$HANDRAIL runs show ${report}`,
      `$HANDRAIL runs value ${report} --step write | head -c 15`,
      "$HANDRAIL completion fish | head -1",
    ];
    const { out } = await onTerminal(lines.join("; "), [], siteEnv());
    const says = [
      /workflow +greet, version 1/,
      /Answered "yes"/,
      /Assigned a compensation/,
      /Sent parcel\.seen/,
      /Acknowledged no-worker/,
      /watchers +\S.* \(you\)/,
      /watchers +nobody/,
      /"Hello, Ada"/,
      /workflow +reports/,
      /"page page page/,
      /# handrail/,
    ];
    for (const one of says) expect(stripVTControlCharacters(out)).toMatch(one);
  });

  it("the database's own commands", async () => {
    const TSX = `${process.execPath} --import tsx ${MAIN}`;
    const lines = [
      "$HANDRAIL doctor",
      "$HANDRAIL metrics",
      `${TSX} migrate`,
      "$HANDRAIL audit verify",
      "$HANDRAIL audit head",
      `$HANDRAIL workflows check; echo "code $?"`,
    ];
    const { out } = await onTerminal(lines.join("; "), [], { DATABASE_URL: aSite().database.url });
    expect(out).toMatch(/All \d+ rules hold\.\r\n/);
    expect(out).toMatch(/# TYPE handrail_workers gauge\r\nhandrail_workers\{state="live"\} \d+\r\n/);
    expect(out).toContain("The database is up to date.");
    expect(out).toMatch(/ok The chain holds: \d+ rows/);
    expect(out).toContain('"signature":');
    // The console's workflows are not this repository's.
    expect(out).toContain(`${ESCAPE}[31m!!${ESCAPE}[39m`);
    expect(out).toMatch(/this code has no such workflow.*\d+ things would break.*code 1/s);
  });
});
