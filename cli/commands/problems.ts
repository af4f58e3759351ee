import type { Command } from "commander";
import { newIdempotencyKey } from "../../lib/api/client/client";
import type { Probe, Problem, ProblemDetail } from "../../lib/api/contract/problems";
import { DEFAULT_TRIES, MOST_TRIES } from "../../lib/engine/problems/probe";
import { PROBLEM_STATUSES } from "../../lib/engine/problems/problem";
import { formatCount } from "../../lib/format";
import { EXIT } from "../exit-codes";
import { factsText } from "../output/facts";
import { paintStatus } from "../output/paint";
import { plain } from "../output/plain";
import type { Screen } from "../output/screen";
import { ago, agoAt } from "../output/times";
import { withSession } from "../session/act";
import { listOf, wholeNumber } from "../session/given";
import { reasonFor } from "../session/reason";
import type { Session } from "../session/session";
import { pauseFor } from "../session/wait";
import { noteMore, type Page, withPage } from "./page";

type ListOptions = Page & { status?: (typeof PROBLEM_STATUSES)[number][]; workflow?: string[]; watched?: true };

export function addProblems(program: Command): void {
  const problems = program.command("problems").description("runs that failed alike, as one");
  withPage(problems.command("list").description("problems, latest failure first"))
    .addOption(listOf("--status <status>", "with this status", PROBLEM_STATUSES))
    .addOption(listOf("--workflow <name>", "of this workflow"))
    .option("--watched", "only those that the caller watches")
    .action(
      withSession(async ({ client, screen }, { watched, ...options }: ListOptions) => {
        const list = await client.read("/v1/problems", { ...options, ...(watched && { watched: "true" }) });
        screen.answer(list, ({ problems: rows }) => problemTable(screen, rows));
        noteMore(screen, list.nextCursor);
      }),
    );
  problems
    .command("show <problem>")
    .description("a problem with its versions and its history")
    .action(
      withSession(async ({ client, screen }, problemId: string) => {
        screen.answer(await client.read("/v1/problems/{problemId}", { problemId }), (one) => problemText(screen, one));
      }),
    );
  problems
    .command("watch <problem>")
    .description("lists of the console and --watched mark it when it changes")
    .action(withSession(begin("/v1/problems/{problemId}/watch")));
  problems
    .command("unwatch <problem>")
    .description("stop watching it")
    .action(withSession(begin("/v1/problems/{problemId}/watch/end")));
  problems
    .command("probe <problem>")
    .description("rerun one affected run after another, with pauses that grow, until one gets through")
    .option(
      "--tries <number>",
      `reruns at most, 1 to ${MOST_TRIES} (default: ${DEFAULT_TRIES})`,
      wholeNumber(1, MOST_TRIES),
    )
    .option("--wait", "until it ends; the exit code is 3 unless a run got through")
    .option("--reason <text>", "saved to the audit log; asked for on a terminal")
    .action(withSession(probe));
  problems
    .command("stop-probe <problem>")
    .description("rerun no further run; one that is under way goes on")
    .option("--reason <text>", "saved to the audit log; asked for on a terminal")
    .action(
      withSession(async (session, problemId: string, options: { reason?: string }) => {
        const request = { reason: await reasonFor(session, options.reason) };
        const sending = { request, idempotencyKey: newIdempotencyKey() };
        const answer = await session.client.post("/v1/problems/{problemId}/probes/end", { problemId }, sending);
        session.screen.answer(answer, ({ probe }) => probeText(session.screen, probe));
      }),
    );
}

/** Begins or ends the watch of the caller, who is the token's own where there is one. */
const begin =
  (path: "/v1/problems/{problemId}/watch" | "/v1/problems/{problemId}/watch/end") =>
  async ({ client, screen }: Session, problemId: string) => {
    const problem = await client.post(path, { problemId }, { request: {}, idempotencyKey: newIdempotencyKey() });
    screen.answer(problem, ({ id, watchers }) => factsText(screen, { problem: id, watchers: namesOf(watchers) }));
  };

const namesOf = (watchers: ProblemDetail["watchers"]) =>
  watchers.map(({ name, you }) => (you ? `${plain(name)} (you)` : plain(name))).join(", ") || "nobody";

const EVERY_MS = 1_000;

interface ProbeOptions {
  tries?: number;
  wait?: boolean;
  reason?: string;
}

async function probe(session: Session, problemId: string, { tries, wait = false, ...options }: ProbeOptions) {
  const { client, screen, signal } = session;
  const reason = await reasonFor(session, options.reason);
  const sending = { request: { reason, ...(tries !== undefined && { tries }) }, idempotencyKey: newIdempotencyKey() };
  let problem = await client.post("/v1/problems/{problemId}/probes", { problemId }, sending);
  while (wait && problem.probe?.status === "running") {
    await pauseFor(EVERY_MS, signal);
    problem = await client.read("/v1/problems/{problemId}", { problemId });
  }
  screen.answer(problem, (now) => probeText(screen, now.probe));
  return wait && problem.probe?.status !== "through" ? EXIT.runFailed : EXIT.done;
}

function probeText(screen: Screen, probe: Probe | null): string {
  if (!probe) return "Never probed.";
  const facts = factsText(screen, {
    probe: probe.id,
    status: paintStatus(screen.paint, probe.status),
    because: plain(probe.because ?? ""),
    "next rerun": probe.nextAt ?? "",
    reason: plain(probe.reason),
    "started by": plain(probe.startedBy),
  });
  const tries = probe.tries.map(({ number, runId, outcome, at }) => [
    String(number),
    runId,
    (outcome ?? "under way").replaceAll("_", " "),
    ago(at),
  ]);
  return `${facts}\n\n${screen.table(["rerun", "run", "outcome", "begun"], tries)}`;
}

const patternOf = ({ errorName, example }: Problem) => plain(`${errorName}: ${example.pattern}`);

function problemTable(screen: Screen, problems: readonly Problem[]): string {
  if (problems.length === 0) return "No problems.";
  return screen.table(
    ["id", "status", "workflow", "step", "open runs", "failures", "last", "error"],
    problems.map((problem) => [
      problem.id,
      paintStatus(screen.paint, problem.status),
      plain(problem.workflow),
      plain(problem.step ?? "between steps"),
      formatCount(problem.openRuns),
      formatCount(problem.failures),
      ago(problem.lastAt),
      patternOf(problem),
    ]),
  );
}

function problemText(screen: Screen, problem: ProblemDetail): string {
  const facts = factsText(screen, {
    problem: problem.id,
    status: paintStatus(screen.paint, problem.status),
    workflow: plain(problem.workflow),
    step: plain(problem.step ?? "between steps"),
    error: patternOf(problem),
    "open runs": formatCount(problem.openRuns),
    failures: formatCount(problem.failures),
    assignee: plain(problem.assignee ?? "unassigned"),
    watchers: namesOf(problem.watchers),
    first: agoAt(problem.firstAt),
    last: agoAt(problem.lastAt),
    example: problem.example.runId,
  });
  const history = problem.history.map(({ at, what, by, text }) => [
    ago(at),
    what.replaceAll("_", " "),
    plain(by ?? ""),
    plain(text),
  ]);
  const probed = problem.probe ? `\n\n${probeText(screen, problem.probe)}` : "";
  return history.length === 0
    ? `${facts}${probed}`
    : `${facts}\n\n${screen.table(["when", "what", "by", "text"], history)}${probed}`;
}
