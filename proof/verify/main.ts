/**
 * `npm run false-alarms`: generates correct workflows and verifies each with every fault; a finding is a false alarm, and is
 * printed with its workflow. `-- --count 10000 --minutes 600 --seed 1`; the same seed generates the same ones.
 */
import { parseArgs } from "node:util";
import { readEnvOfApp } from "../../lib/env-of-app";
import { openTestServer } from "../../lib/testkit/server";
import { formatReport } from "../../lib/verify/verify";
import { verifyGenerated } from "./generated";

const AT_ONCE = 5;

const say = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "10000" },
    minutes: { type: "string", default: "600" },
    seed: { type: "string", default: "1" },
  },
});
const [count, minutes, seed] = [values.count, values.minutes, values.seed].map(Number) as [number, number, number];
const server = await openTestServer(readEnvOfApp({}).directUrl, "DATABASE_URL");
const deadline = performance.now() + minutes * 60_000;
const total = { workflows: 0, trials: 0, alarms: 0 };
for (let batch = 0; total.workflows < count && performance.now() < deadline; batch++) {
  const many = Math.min(AT_ONCE, count - total.workflows);
  const family = batch % 4 === 3 ? "with-others" : "alone";
  const of = {
    seed,
    from: total.workflows,
    count: many,
    family,
    compensates: batch % 2 === 1,
    redeployed: true,
  } as const;
  const { report, workflows } = await verifyGenerated({ databaseUrl: server.url, ...of });
  total.workflows += many;
  total.trials += report.trials.length;
  total.alarms += report.findings.length;
  say(`${total.workflows} workflows · ${total.trials} trials · ${total.alarms} false alarms`);
  if (report.findings.length === 0) continue;
  say(formatReport(report));
  for (const { step } of report.findings)
    say(JSON.stringify(workflows[Number(/(\d+)-\w+-\d+/.exec(step ?? "")?.[1]) - of.from]));
}
await server.release();
process.exitCode = total.alarms === 0 ? 0 : 1;
