import type { Command, Option } from "commander";
import { formatCount, plural } from "../../lib/format";
import type { WorkflowsCheck } from "../../scripts/database/workflows/check";
import { EXIT, type ExitCode } from "../exit-codes";
import { plain } from "../output/plain";
import type { Screen } from "../output/screen";
import { withScreen } from "../session/act";
import { report } from "../session/report";
import type { FindHome } from "./home";

/** `handrail workflows check`, of the code at hand and the database of DATABASE_URL: for a pipeline, before a deploy. */
export function addCheck(workflows: Command, findHome: FindHome, configOption?: Option): void {
  const command = workflows
    .command("check")
    .description("what the code here would break in the database of DATABASE_URL; read-only, for before a deploy");
  if (configOption) command.addOption(configOption);
  command.action(
    withScreen(async (screen, { config }: { config?: string }) =>
      // The app's own modules may have opened what would keep this process.
      screen.end(await check(screen, findHome, config).catch((error) => report(error, screen))),
    ),
  );
}

async function check(screen: Screen, findHome: FindHome, config?: string): Promise<ExitCode> {
  const { checkWorkflows } = await import("../../scripts/database/workflows/check");
  const checked = await checkWorkflows(await findHome(), config);
  screen.answer(checked, (made) => checkText(screen, made));
  return checked.findings.some(({ level }) => level === "breaks") ? EXIT.refused : EXIT.done;
}

const MARKS = { breaks: ["red", "!!"], note: ["yellow", "--"] } as const;

function checkText(screen: Screen, { workflows, openRuns, findings }: WorkflowsCheck): string {
  const rows = workflows.map(({ name, version, drift, openRuns: count }) => [
    plain(name),
    String(version),
    drift,
    formatCount(count),
  ]);
  const lines = findings.map(({ level, message, runIds, runs }) => {
    const [colour, mark] = MARKS[level];
    const [first] = runIds;
    const such = first === undefined ? "" : screen.paint("gray", `\n   ${runs === 1 ? "run" : "such as run"} ${first}`);
    return `${screen.paint(colour, mark)} ${plain(message)}${such}`;
  });
  const breaking = findings.filter(({ level }) => level === "breaks").length;
  const verdict =
    breaking === 0
      ? `Nothing breaks: ${plural(openRuns, "open run")} ${openRuns === 1 ? "goes" : "go"} on with this code.`
      : `${plural(breaking, "thing")} would break. ${plural(openRuns, "open run")} ${openRuns === 1 ? "was" : "were"} checked.`;
  const table = screen.table(["workflow", "version", "drift", "open runs"], rows);
  return [rows.length > 0 ? table : "This code has no workflows.", ...lines, verdict].join("\n\n");
}
