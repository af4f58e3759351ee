import type { Command } from "commander";
import { EXIT } from "../exit-codes";
import { withScreen } from "../session/act";

/*
 * On the database of DATABASE_URL, as `npm run doctor`, `audit` and `migrate`: no console is needed. What they take is
 * loaded with the command, so that all others start without it.
 */

export function addDatabase(program: Command): void {
  program
    .command("doctor")
    .description("check in the database every promise that can be checked there; read-only")
    .action(
      withScreen(async (screen) => {
        const { allHold, examineDatabase, findingsText } = await import("../../scripts/database/doctor");
        const findings = await examineDatabase();
        screen.answer(findings, findingsText);
        return allHold(findings) ? EXIT.done : EXIT.refused;
      }),
    );
  program
    .command("migrate")
    .description("bring the database up to date")
    .option("--sql", "print what would be applied, and change nothing")
    .action(
      withScreen(async (screen, { sql = false }: { sql?: boolean }) => {
        const { appliedText, migrateDatabase, migrationSql } = await import("../../scripts/database/migrate");
        if (sql) return screen.text(await migrationSql());
        const applied = await migrateDatabase((text) => screen.note(text));
        screen.answer({ applied }, () => appliedText(applied));
      }),
    );
  addAudit(program);
}

function addAudit(program: Command): void {
  const audit = program.command("audit").description("whether the audit log is unchanged; read-only");
  audit
    .command("verify")
    .description("walk the chain of the audit log")
    .option("--heads <file>", "heads that were exported before: they have to be on it")
    .action(
      withScreen(async (screen, { heads: file }: { heads?: string }) => {
        const { checkAudit, readHeads, verdictText } = await import("../../scripts/database/audit");
        const heads = file === undefined ? [] : readHeads(file);
        const verdict = await checkAudit(heads);
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
        screen.entry(await auditHead(), (head) => JSON.stringify(head));
      }),
    );
}
