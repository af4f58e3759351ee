import type { Command } from "commander";
import type { Problem, ProblemDetail } from "../../lib/api/contract/problems";
import { PROBLEM_STATUSES } from "../../lib/engine/problems/problem";
import { formatCount } from "../../lib/format";
import { factsText } from "../output/facts";
import { paintStatus } from "../output/paint";
import { plain } from "../output/plain";
import type { Screen } from "../output/screen";
import { ago, agoAt } from "../output/times";
import { withSession } from "../session/act";
import { listOf } from "../session/given";
import { noteMore, type Page, withPage } from "./page";

type ListOptions = Page & { status?: (typeof PROBLEM_STATUSES)[number][]; workflow?: string[] };

export function addProblems(program: Command): void {
  const problems = program.command("problems").description("runs that failed alike, as one");
  withPage(problems.command("list").description("problems, latest failure first"))
    .addOption(listOf("--status <status>", "with this status", PROBLEM_STATUSES))
    .addOption(listOf("--workflow <name>", "of this workflow"))
    .action(
      withSession(async ({ client, screen }, options: ListOptions) => {
        const list = await client.read("/v1/problems", options);
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
  return history.length === 0 ? facts : `${facts}\n\n${screen.table(["when", "what", "by", "text"], history)}`;
}
