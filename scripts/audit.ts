/**
 * `npm run audit -- verify [--heads FILE]` and `npm run audit -- head`: whether the audit log is unchanged. Read-only.
 */
import { parseArgs } from "node:util";
import type { SignedHead } from "../lib/engine/audit/audit-chain";
import { auditHead, checkAudit, readHeads, verdictText } from "./database/audit";
import { homeOfRepository } from "./database/home-of-repository";
import { printError, StartError } from "./start-error";

const USAGE = `npm run audit -- verify [--heads FILE]   walks the chain; with FILE, heads exported before have to be on it
npm run audit -- head                    prints the signed end of the chain, one line of JSON: keep it elsewhere`;

async function main(): Promise<void> {
  const { command, heads } = order();
  if (command === "head") return console.log(JSON.stringify(await auditHead(homeOfRepository())));
  const verdict = await checkAudit(homeOfRepository(), heads);
  console.log(verdictText(verdict, heads.length));
  process.exitCode = verdict.fault ? 1 : 0;
}

function order(): { command: "verify" | "head"; heads: SignedHead[] } {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { heads: { type: "string" } } });
  const [command, ...rest] = positionals;
  if ((command !== "verify" && command !== "head") || rest.length > 0) throw new StartError(USAGE);
  return { command, heads: values.heads === undefined ? [] : readHeads(values.heads) };
}

main().catch((error) => {
  printError(error);
  process.exitCode = 2;
});
