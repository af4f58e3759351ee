import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { environmentWith } from "../lib/env";
import { removeEmbeddedPostgres, startEmbeddedPostgres } from "./postgres/embedded";
import { migrate } from "./postgres/migrate";
import { run } from "./postgres/run";
import { printError, StartError } from "./start-error";

/**
 * Proves on real databases that prisma/schema.prisma and prisma/migrations agree, and that it makes no difference
 * whether the Prisma CLI or Handrail applied the migrations.
 */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PRISMA = path.join(ROOT, "node_modules/prisma/build/index.js");

async function check(url: (database: string) => string): Promise<void> {
  const ours = url("migrated_by_handrail");
  const { applied } = await migrate(ours);
  await expectPrisma(ours, ["migrate", "status"], "finds a database that Handrail migrated out of date");
  await expectPrisma(
    ours,
    ["migrate", "diff", "--from-config-datasource", "--to-schema=prisma/schema.prisma", "--exit-code"],
    "finds that prisma/schema.prisma differs from what the migrations make. " +
      "[+] is in the schema alone, and wants a migration; [-] is in the migrations alone, and wants to be in the schema",
  );

  const prismas = url("migrated_by_prisma");
  await expectPrisma(prismas, ["migrate", "deploy"], "can't apply the migrations");
  const again = await migrate(prismas);
  if (again.applied.length)
    throw new StartError(`Handrail applied ${again.applied.join(", ")} once more after the Prisma CLI.`);
  console.log(
    `prisma/schema.prisma agrees with its ${applied.length} migrations, and so do the Prisma CLI and Handrail.`,
  );
}

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
