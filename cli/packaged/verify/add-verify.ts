import { writeFileSync } from "node:fs";
import path from "node:path";
import { type Command, Option } from "commander";
import type { HandrailError } from "../../../lib/engine/errors";
import { readEnvFile } from "../../../lib/env-of-app";
import type { VerifyReport } from "../../../lib/verify/report";
import { EXIT, type ExitCode } from "../../exit-codes";
import type { Screen } from "../../output/screen";
import { withScreenAndSession } from "../../session/act";
import { report } from "../../session/report";
import type { Session } from "../../session/session";
import { UsageError } from "../../session/stops";
import { publishReport } from "./publish";

interface Options {
  trial?: string;
  pairs?: string;
  seed?: string;
  budget?: string;
  against?: string;
  junit?: string;
  html?: string;
  publish?: boolean;
  commit?: string;
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
    .addOption(
      new Option(
        "--against <folder>",
        "deploys as well: this build ends what the older build in this folder has begun",
      ),
    )
    .addOption(new Option("--junit <file>", "write the reports as JUnit's XML, too"))
    .addOption(new Option("--html <file>", "write the reports as one page for a browser, too"))
    .option("--publish", "store the results in Handrail's database, over HTTP: the workflow's page shows them")
    .option("--commit <commit>", "what was verified, for --publish")
    .action(
      withScreenAndSession(async (screen, open, workflow: string | undefined, options: Options) =>
        // The app's own modules may hold connections open.
        screen.end(await verify(screen, open, workflow, options).catch((error) => report(error, screen))),
      ),
    );
}

async function verify(
  screen: Screen,
  open: () => Session,
  workflow: string | undefined,
  { junit, html, publish, commit, against, ...rest }: Options,
): Promise<ExitCode> {
  readEnvFile(process.cwd());
  const given = givenOf(rest);
  if (publish && rest.trial !== undefined)
    throw new UsageError("--publish takes a whole verification: leave --trial out.");
  const session = publish ? open() : undefined;
  const [{ findVerifications, olderBuild }, { formatReport, isRetrySafe, verifyWorkflow }, { junitOf }, { htmlOf }] =
    await Promise.all([
      import("./find-verifications"),
      import("../../../lib/verify/verify"),
      import("./junit"),
      import("./html"),
    ]);
  const reports: VerifyReport[] = [];
  let refused = 0;
  for (const one of await findVerifications(process.cwd(), workflow)) {
    screen.note(`Verifying ${one.workflow.name}…`);
    const older = against === undefined ? undefined : await olderBuild(one, process.cwd(), against);
    if (against !== undefined && !older) screen.note(`${against} has no older build of it.`);
    const options = { ...one.options, ...given, ...(older && { against: older }) };
    const verified = await verifyWorkflow(one.workflow, options).catch((error: HandrailError) => {
      // Of this file; the others are verified all the same.
      if (error.code !== "invalid_input") throw error;
      screen.warn(`${path.relative(process.cwd(), one.file)}: ${error.message}`);
    });
    if (!verified) {
      refused++;
      continue;
    }
    reports.push(verified);
    screen.entry(verified, formatReport);
    if (session) await publishReport(session, verified, commit);
  }
  if (junit !== undefined) writeFileSync(junit, junitOf(reports));
  if (html !== undefined) writeFileSync(html, htmlOf(reports));
  return refused === 0 && reports.every(isRetrySafe) ? EXIT.done : EXIT.refused;
}

function givenOf({ budget, ...numbers }: Pick<Options, "trial" | "pairs" | "seed" | "budget">) {
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
