import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { environmentWith } from "../lib/env";
import { migrate } from "../lib/store/migrations/migrate";
import { readCatalog } from "./postgres/catalog";
import { removeEmbeddedPostgres, startEmbeddedPostgres } from "./postgres/embedded";
import { migrateDemo } from "./postgres/migrate-demo";
import { run } from "./postgres/run";
import { printError, StartError } from "./start-error";

/**
 * Proves on real databases that the models of prisma/schema.prisma are the tables of `public` as the migrations make them, and those
 * of `demo` as the demo's do; that Prisma misses and finds nothing where the demo is not, and where it is; and that the Prisma CLI
 * makes the same schema of the migrations as Handrail, down to each CHECK and trigger.
 */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PRISMA = path.join(ROOT, "node_modules/prisma/build/index.js");

async function check(url: (database: string) => string): Promise<void> {
  const ours = url("migrated_by_handrail");
  const { applied } = await migrate(ours);
  await expectAgreement(ours);
  await migrateDemo(ours);
  await expectAgreement(ours);
  await expectAgreement(ours, ["--config=scripts/postgres/prisma-with-demo.config.ts"]);

  const prismas = url("migrated_by_prisma");
  await expectPrisma(prismas, ["migrate", "deploy"], "can't apply the migrations");
  const again = await migrate(prismas);
  if (again.applied.length)
    throw new StartError(`Handrail applied ${again.applied.join(", ")} once more after the Prisma CLI.`);
  const [one, other] = await Promise.all([ours, prismas].map(catalogOf));
  const differing = [...linesWithout(one, other), ...linesWithout(other, one)];
  if (differing.length)
    throw new StartError(
      `The Prisma CLI and Handrail made different schemas of the migrations:\n${differing.join("\n")}`,
    );
  const migrations = applied.length === 1 ? "1 migration" : `${applied.length} migrations`;
  console.log(
    `prisma/schema.prisma agrees with ${migrations}; the Prisma CLI and Handrail make the same schema of them.`,
  );
}

function expectAgreement(databaseUrl: string, more: string[] = []): Promise<void> {
  const diff = ["--from-config-datasource", "--to-schema=prisma/schema.prisma", "--exit-code"];
  return expectPrisma(
    databaseUrl,
    ["migrate", "diff", ...diff, ...more],
    "finds that prisma/schema.prisma differs from what the migrations make. " +
      "[+] is in the schema alone, and wants a migration; [-] is in the migrations alone, and wants to be in the schema",
  );
}

async function catalogOf(databaseUrl: string): Promise<string[]> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  return readCatalog(db).finally(() => db.end());
}

const linesWithout = (lines: string[] = [], others: string[] = []) => lines.filter((line) => !others.includes(line));

async function expectPrisma(databaseUrl: string, args: string[], otherwise: string): Promise<void> {
  const env = environmentWith({ DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: "" });
  const { code, output } = await run(process.execPath, [PRISMA, ...args], { cwd: ROOT, env });
  if (code !== 0) throw new StartError(`${output}\n\`prisma ${args.join(" ")}\` ${otherwise}.`);
}

async function main(): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), "handrail-schema-"));
  const server = await startEmbeddedPostgres({ dir, settings: { fsync: "off" } });
  try {
    await check(server.url);
  } finally {
    await server.stop();
    await removeEmbeddedPostgres(dir);
  }
}

main().catch((error) => {
  printError(error);
  process.exitCode = 1;
});
