import { writeFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { readEnvFile } from "../../../lib/env-of-app";
import { EXIT } from "../../exit-codes";
import { withScreen } from "../../session/act";
import { UsageError } from "../../session/stops";

interface Options {
  trial?: string;
  pairs?: string;
  seed?: string;
  budget?: string;
  junit?: string;
  html?: string;
}

/** `handrail verify`: breaks the app's workflows at every boundary, and reports what could happen twice, never or out of order. */
export function addVerify(program: Command): void {
  program
    .command("verify")
    .description("break workflows at every boundary, as their files *.verify.ts say, and report what is not retry-safe")
    .argument("[workflow]", "default: each that has such a file")
    .addOption(new Option("--trial <number>", "only the run without faults and this trial, as a report names it"))
    .addOption(new Option("--pairs <count>", "so many pairs of faults in one run as well"))
    .addOption(new Option("--seed <number>", "chooses the pairs; default 1"))
    .addOption(
      new Option("--budget <duration>", 'no trial begins after it, such as "30s"; default a minute a workflow'),
    )
    .addOption(new Option("--junit <file>", "write the reports as JUnit's XML, too"))
    .addOption(new Option("--html <file>", "write the reports as one page for a browser, too"))
    .action(
      withScreen(async (screen, workflow: string | undefined, { junit, html, ...options }: Options) => {
        readEnvFile(process.cwd());
        const given = givenOf(options);
        const [{ findVerifications }, { formatReport, isRetrySafe, verifyWorkflow }, { junitOf }, { htmlOf }] =
          await Promise.all([
            import("./find-verifications"),
            import("../../../lib/verify/verify"),
            import("./junit"),
            import("./html"),
          ]);
        const reports = [];
        for (const one of await findVerifications(process.cwd(), workflow)) {
          screen.note(`Verifying ${one.workflow.name}…`);
          const report = await verifyWorkflow(one.workflow, { ...one.options, ...given });
          reports.push(report);
          screen.entry(report, formatReport);
        }
        if (junit !== undefined) writeFileSync(junit, junitOf(reports));
        if (html !== undefined) writeFileSync(html, htmlOf(reports));
        // The app's own modules may hold connections open.
        return screen.end(reports.every(isRetrySafe) ? EXIT.done : EXIT.refused);
      }),
    );
}

function givenOf({ budget, ...numbers }: Omit<Options, "junit" | "html">) {
  const given = Object.entries(numbers).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, wholeNumber(name, text)]],
  );
  return { ...Object.fromEntries(given), ...(budget !== undefined && { budget: budget as `${number}s` }) };
}

/** @throws UsageError */
function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--${name} is a whole number, such as --${name} 37; got ${JSON.stringify(text)}.`);
}
