import type { Command, Option } from "commander";
import type { WorkflowView } from "../../lib/api/contract/responses";
import { formatCount } from "../../lib/format";
import { factsText } from "../output/facts";
import { plain } from "../output/plain";
import { valueText } from "../output/run";
import type { Screen } from "../output/screen";
import { ago, agoAt } from "../output/times";
import { withSession } from "../session/act";
import { Refused } from "../session/stops";
import { addCheck } from "./check-workflows";
import type { FindHome } from "./home";

/** There may be more: the API counts no further. */
const BACKLOG_CAP = 1_000;

/** @param configOption of `check`, where another file may name the workflows */
export function addWorkflows(program: Command, findHome: FindHome, configOption?: Option): void {
  const workflows = program.command("workflows").description("what workers can run");
  workflows
    .command("list")
    .description("workflows that workers have registered, each version")
    .action(
      withSession(async ({ client, screen }) => {
        const list = await client.read("/v1/workflows", {});
        screen.answer(list, ({ workflows: rows }) => workflowTable(screen, rows));
      }),
    );
  workflows
    .command("show <workflow>")
    .description("the newest version of a workflow")
    .action(
      withSession(async ({ client, screen }, name: string) => {
        const list = await client.read("/v1/workflows", {});
        const versions = list.workflows.filter((one) => one.name === name).sort((a, b) => b.version - a.version);
        const [newest] = versions;
        if (newest === undefined) throw new Refused(`No worker has registered a workflow "${name}".`);
        screen.answer(newest, (workflow) => workflowText(screen, workflow));
      }),
    );
  addCheck(workflows, findHome, configOption);
}

const intakeOf = ({ intake }: WorkflowView): string =>
  intake === null ? "" : `${intake.holds === "all" ? "paused" : "new runs paused"} by ${plain(intake.closedBy)}`;

function workflowTable(screen: Screen, workflows: readonly WorkflowView[]): string {
  if (workflows.length === 0) return "No worker has registered a workflow yet.";
  return screen.table(
    ["name", "version", "workers", "running", "backlog", "seen", "intake"],
    workflows.map((workflow) => [
      plain(workflow.name),
      String(workflow.version),
      formatCount(workflow.versionWorkers),
      formatCount(workflow.running),
      formatCount(workflow.backlog, BACKLOG_CAP),
      ago(workflow.seenAt),
      screen.paint("yellow", intakeOf(workflow)),
    ]),
  );
}

const workflowText = (screen: Screen, workflow: WorkflowView): string =>
  factsText(screen, {
    workflow: plain(workflow.name),
    title: plain(workflow.title),
    version: String(workflow.version),
    language: plain(workflow.language ?? "TypeScript"),
    "starts on": plain(workflow.on ?? ""),
    workers: `${workflow.workers}, ${workflow.versionWorkers} of this version`,
    running: formatCount(workflow.running),
    backlog: formatCount(workflow.backlog, BACKLOG_CAP),
    "second person": workflow.fourEyes.join(", "),
    limits: valueText(workflow.liveLimits ?? workflow.limits),
    intake: intakeOf(workflow),
    seen: agoAt(workflow.seenAt),
    input: valueText(workflow.inputSchema),
  });
