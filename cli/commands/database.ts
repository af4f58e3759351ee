import type { Command } from "commander";
import { EXIT } from "../exit-codes";
import { withScreen } from "../session/act";
import type { FindHome } from "./home";

/*
 * On the database of DATABASE_URL: no console is needed. What they take is loaded with the command, so that all others
 * start without it.
 */

export function addDatabase(program: Command, findHome: FindHome): void {
  program
    .command("doctor")
    .description("check in the database every promise that can be checked there; read-only")
    .action(
      withScreen(async (screen) => {
        const { allHold, examineDatabase, findingsText } = await import("../../scripts/database/doctor");
        const findings = await examineDatabase(await findHome());
        screen.answer(findings, findingsText);
        return allHold(findings) ? EXIT.done : EXIT.refused;
      }),
    );
  program
    .command("migrate")
    .description("bring the database of DATABASE_URL up to date, and create it if there is none")
    .option("--sql", "print what would be applied, for others to apply it, and change nothing")
    .action(
      withScreen(async (screen, { sql = false }: { sql?: boolean }) => {
        const { appliedText, migrateDatabase, migrationSql } = await import("../../scripts/database/migrate");
        const home = await findHome();
        if (sql) return screen.text(await migrationSql(home));
        const applied = await migrateDatabase(home, (text) => screen.note(text));
        screen.answer({ applied }, () => appliedText(applied));
      }),
    );
  addAudit(program, findHome);
  program
    .command("metrics")
    .description("print what the database knows of its runs and workers as Prometheus reads it; read-only")
    .option("--workflow <name...>", "these workflows, instead of the 300 that were registered first")
    .option("--to <file>", "write them there at once, as the textfile collector of node_exporter asks")
    .action(
      withScreen(async (screen, { workflow = null, to }: { workflow?: string[] | null; to?: string }) => {
        const { expositionText, metricsOf, replaceFile } = await import("../../scripts/database/metrics");
        const families = await metricsOf(await findHome(), workflow);
        const text = await expositionText(families);
        if (to !== undefined) return replaceFile(to, text);
        screen.answer(families, () => text.trimEnd());
      }),
    );
}

function addAudit(program: Command, findHome: FindHome): void {
  const audit = program.command("audit").description("whether the audit log is unchanged; read-only");
  audit
    .command("verify")
    .description("walk the chain of the audit log")
    .option("--heads <file>", "heads that were exported before: they have to be on it")
    .action(
      withScreen(async (screen, { heads: file }: { heads?: string }) => {
        const { checkAudit, readHeads, verdictText } = await import("../../scripts/database/audit");
        const heads = file === undefined ? [] : readHeads(file);
        const verdict = await checkAudit(await findHome(), heads);
        screen.answer(verdict, (one) => verdictText(one, heads.length));
        return verdict.fault ? EXIT.refused : EXIT.done;
      }),
    );
  audit
    .command("head")
    .description("print the signed end of the chain, one line of JSON: keep it elsewhere")
    .action(
      withScreen(async (screen) => {
        const { auditHead } = await import("../../scripts/database/audit");
        screen.entry(await auditHead(await findHome()), (head) => JSON.stringify(head));
      }),
    );
}
