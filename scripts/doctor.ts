/** `npm run doctor`: checks in the database every promise that can be checked there. Read-only; safe at any time. */
import { allHold, examineDatabase, findingsText } from "./database/doctor";
import { homeOfRepository } from "./database/home-of-repository";
import { printError } from "./start-error";

async function main(): Promise<void> {
  const findings = await examineDatabase(homeOfRepository());
  console.log(findingsText(findings));
  process.exitCode = allHold(findings) ? 0 : 1;
}

main().catch((error) => {
  printError(error);
  process.exitCode = 1;
});
