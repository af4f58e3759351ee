/** `npm run soak`: a mixed load at 60 % of this machine's maximum for as long as asked, and a verdict. HELP says the rest. */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { isBuilt } from "../../scripts/launch/build";
import { isMet, lineOf } from "../bench/figure";
import { chartOf } from "./chart/chart";
import { LEAST_MINUTES_OF_TRENDS } from "./plan";
import { soak } from "./soak";

const HELP = `npm run soak -- [--minutes 60] [--seed N] [--chart FILE.svg] [--samples FILE.jsonl] [--no-console]

A load of steps, children, a schedule, events and transactional credits at 60 % of what this machine can do, while workers are
killed and deployed and people use the console. At the end it judges, and exits with 1 if something is wrong.

All times are parts of --minutes: ended runs are kept for a sixth (10 min of 60), a worker gets a SIGKILL every twentieth (3 min), a
next version is deployed every sixth (10 min), a sample is taken every 360th (10 s), none of them under a second. 20 readers open a page
of the console every 5 s, whatever the length; the console takes part if it is built (npm run build).

Each soak judges the ledgers and asks the doctor. Sizes, latencies, dead tuples and memory of the last third are
compared with the middle third from --minutes ${LEAST_MINUTES_OF_TRENDS} on; a shorter soak says what it leaves out.`;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    seed: { type: "string", default: String(1 + (Date.now() % 1_000_000)) },
    chart: { type: "string" },
    samples: { type: "string" },
    console: { type: "boolean", default: true },
    help: { type: "boolean", default: false },
  },
  allowNegative: true,
});

async function main(): Promise<void> {
  if (values.help) return console.log(HELP);
  const built = await isBuilt();
  const samplesFile = path.resolve(values.samples ?? path.join(tmpdir(), `handrail-soak-${Date.now()}.jsonl`));
  console.log(`${values.minutes} minutes, seed ${values.seed}. Samples: ${samplesFile}`);
  if (values.console && !built) console.log("The console is left out: it is not built (npm run build).");
  const { figures, leftOut, samples, maximumStepsASecond, fleet } = await soak({
    minutes: Number(values.minutes),
    seed: Number(values.seed),
    withConsole: values.console && built,
    samplesFile,
    say: (line) => console.log(line),
  });
  if (values.chart) await writeFile(values.chart, chartOf(samples));
  for (const figure of figures) console.log(lineOf(figure));
  console.log(
    `${fleet.kills} kills, ${fleet.deploys} deploys, ${fleet.restarts} workers that ended by themselves; maximum ${Math.round(maximumStepsASecond).toLocaleString("en")} steps/s.`,
  );
  if (leftOut.length > 0) console.log(`Not judged in so short a soak: ${leftOut.join(", ")}.`);
  const missed = figures.filter((figure) => !isMet(figure));
  console.log(missed.length === 0 ? "Nothing found." : `${missed.length} findings.`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

main().then(
  () => process.exit(),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
