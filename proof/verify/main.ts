/**
 * `npm run false-alarms`: generates correct workflows and verifies each; a finding is a false alarm, and is printed with its
 * workflow. `-- --count 10000 --share 10 --seed 1 --from 0 --minutes 600`: of the faults of each workflow one in ten is tried,
 * others of the next workflow and of another seed; `--share 1` tries all. The same seed generates the same workflows.
 */
import { parseArgs } from "node:util";
import { readEnvOfApp } from "../../lib/env-of-app";
import { openTestServer } from "../../lib/testkit/server";
import { formatReport } from "../../lib/verify/verify";
import { verifyGenerated } from "./generated";

/** On the same databases. */
const AT_ONCE = 100;

const say = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "10000" },
    share: { type: "string", default: "10" },
    from: { type: "string", default: "0" },
    minutes: { type: "string", default: "600" },
    seed: { type: "string", default: "1" },
  },
});
const [count, share, first, minutes, seed] = [values.count, values.share, values.from, values.minutes, values.seed].map(
  Number,
) as [number, number, number, number, number];
const server = await openTestServer(readEnvOfApp({}).directUrl, "DATABASE_URL");
const deadline = performance.now() + minutes * 60_000;
const total = { workflows: 0, trials: 0, alarms: 0 };
while (total.workflows < count && performance.now() < deadline) {
  const from = first + total.workflows;
  const batch = Math.floor(from / AT_ONCE);
  const many = Math.min(AT_ONCE - (from % AT_ONCE), count - total.workflows);
  const family = batch % 4 === 3 ? "with-others" : "alone";
  const of = { seed, from, count: many, family, compensates: batch % 2 === 1, redeployed: true, share } as const;
  const { report, workflows } = await verifyGenerated({ databaseUrl: server.url, ...of });
  total.workflows += many;
  total.trials += report.trials.length;
  total.alarms += report.findings.length;
  say(
    `${total.workflows} workflows · ${total.trials} trials · ${total.alarms} false alarms · next --from ${from + many}`,
  );
  if (report.findings.length === 0) continue;
  say(formatReport(report));
  for (const { step } of report.findings)
    say(JSON.stringify(workflows[Number(/(\d+)-\w+-\d+/.exec(step ?? "")?.[1]) - of.from]));
}
await server.release();
process.exitCode = total.alarms === 0 ? 0 : 1;
