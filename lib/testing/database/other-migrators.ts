import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import knexFor from "knex";
import { Kysely, PostgresDialect, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import pg from "pg";
import { run } from "../../../scripts/postgres/run";

/** How an app migrates its own tables, `profile` and `account`, by a tool of its choice. */
export interface OtherMigrator {
  /** Makes the tables. */
  first(): Promise<void>;
  /** Adds a column to one of them. */
  second(): Promise<void>;
  /** What the tool would change: empty where the database is as it left it. */
  drift(): Promise<string[]>;
  end(): Promise<void>;
}

const ROOT = path.resolve(import.meta.dirname, "../../..");

const FIRST = [
  "create table profile (id text primary key, name text not null)",
  "create table account (id text primary key, profile_id text not null references profile (id))",
];
const SECOND = "alter table profile add column email text";

/** A project in a folder, whose packages are ours. */
async function aProject(files: Record<string, string>, databaseUrl: string) {
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-app-"));
  await symlink(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  const write = async (name: string, text: string) => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: "", CI: "", NO_COLOR: "1" };
  return {
    folder,
    write,
    call: (command: string, args: string[]) => run(command, args, { cwd: folder, env }),
    end: () => rm(folder, { recursive: true, force: true }),
  };
}

type Ended = { code: number | null; output: string };

/** @throws with what it said, unless it ended well */
function expectDone({ code, output }: Ended): string {
  if (code !== 0) throw new Error(`It ended with ${code}:\n${output}`);
  return output;
}

const PRISMA = path.join(ROOT, "node_modules/prisma/build/index.js");
/** Ours names another schema engine where Prisma's is missing. */
const PRISMA_CONFIG = `
import ${JSON.stringify(path.join(ROOT, "prisma.config"))};
export default {
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL },
};
`;
const SCHEMA = (email: string) => `
generator client {
  provider = "prisma-client"
  output   = "../generated"
}
datasource db {
  provider = "postgresql"
}
model Profile {
  id       String    @id
  name     String${email}
  accounts Account[]
  @@map("profile")
}
model Account {
  id        String  @id
  profileId String  @map("profile_id")
  profile   Profile @relation(fields: [profileId], references: [id], onDelete: NoAction, onUpdate: NoAction)
  @@map("account")
}
`;

/** Its command line; `migrate dev` in a terminal, without which it refuses to run. A question that it asks ends it after a minute. */
export async function prismaMigrator(databaseUrl: string): Promise<OtherMigrator> {
  const project = await aProject(
    {
      "prisma.config.ts": PRISMA_CONFIG,
      "prisma/schema.prisma": SCHEMA(""),
      "prisma/migrations/migration_lock.toml": 'provider = "postgresql"\n',
      "prisma/migrations/20250101000000_init/migration.sql": FIRST.map((statement) => `${statement};\n`).join(""),
    },
    databaseUrl,
  );
  const prisma = (...args: string[]) => project.call(process.execPath, [PRISMA, ...args]);
  const dev = (...args: string[]) => {
    const command = [process.execPath, PRISMA, "migrate", "dev", ...args].map((word) => `'${word}'`).join(" ");
    return project.call("timeout", ["60", "script", "--quiet", "--return", "--command", command, "/dev/null"]);
  };
  return {
    first: async () => void expectDone(await prisma("migrate", "deploy")),
    async second() {
      await project.write("prisma/schema.prisma", SCHEMA("\n  email    String?"));
      expectDone(await dev("--name", "email"));
      const [, made = ""] = (await readdir(path.join(project.folder, "prisma/migrations"))).sort();
      const text = await readFile(path.join(project.folder, "prisma/migrations", made, "migration.sql"), "utf8");
      if (/drop|handrail/i.test(text)) throw new Error(`It wants more than a column:\n${text}`);
    },
    async drift() {
      const [diff, develop] = await Promise.all([
        prisma("migrate", "diff", "--from-config-datasource", "--to-schema=prisma/schema.prisma", "--exit-code"),
        dev(),
      ]);
      const inSync = develop.code === 0 && /already in sync/i.test(develop.output);
      return [...(diff.code === 0 ? [] : [diff.output]), ...(inSync ? [] : [develop.output])];
    },
    end: project.end,
  };
}

const TABLES = (email: string) => `
import { pgTable, text } from "drizzle-orm/pg-core";
export const profile = pgTable("profile", { id: text("id").primaryKey(), name: text("name").notNull()${email} });
export const account = pgTable("account", {
  id: text("id").primaryKey(),
  profileId: text("profile_id").notNull().references(() => profile.id),
});
`;

/** Its command line: `push` compares the database with the schema. */
export async function drizzleMigrator(databaseUrl: string): Promise<OtherMigrator> {
  const project = await aProject(
    {
      "package.json": '{ "name": "app", "type": "module" }',
      "schema.ts": TABLES(""),
      "drizzle.config.ts":
        'export default { dialect: "postgresql", schema: "./schema.ts", out: "./drizzle", dbCredentials: { url: process.env.DATABASE_URL } };',
    },
    databaseUrl,
  );
  const kit = async (...args: string[]) =>
    expectDone(await project.call(process.execPath, [path.join(ROOT, "node_modules/drizzle-kit/bin.cjs"), ...args]));
  const migrate = async (name: string) => {
    await kit("generate", "--name", name);
    await kit("migrate");
  };
  const drift = async () => {
    const output = await kit("push");
    return output.includes("No changes detected") ? [] : [output];
  };
  return {
    first: () => migrate("init"),
    async second() {
      await project.write("schema.ts", TABLES(', email: text("email")'));
      await migrate("email");
    },
    drift,
    end: project.end,
  };
}

/** Its `Migrator`. */
export async function kyselyMigrator(databaseUrl: string): Promise<OtherMigrator> {
  const pool = new pg.Pool({ connectionString: databaseUrl }).on("error", () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const of = (statements: string[]): Migration => ({
    async up(on) {
      for (const statement of statements) await sql.raw(statement).execute(on);
    },
  });
  const migrations: Record<string, Migration> = { "001_init": of(FIRST) };
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const latest = async () => {
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error) throw error;
    return results.map(({ migrationName }) => migrationName);
  };
  return {
    first: async () => void (await latest()),
    async second() {
      migrations["002_email"] = of([SECOND]);
      await latest();
    },
    drift: latest,
    end: () => db.destroy(),
  };
}

/** Its `migrate`. */
export async function knexMigrator(databaseUrl: string): Promise<OtherMigrator> {
  const knex = knexFor({ client: "pg", connection: databaseUrl });
  const migrations: Record<string, string[]> = { "001_init": FIRST };
  const migrationSource = {
    getMigrations: async () => Object.keys(migrations),
    getMigrationName: (name: string) => name,
    getMigration: async (name: string) => ({
      up: async (on: typeof knex) => {
        for (const statement of migrations[name] ?? []) await on.raw(statement);
      },
      down: async () => undefined,
    }),
  };
  const latest = async () => {
    const [, applied] = (await knex.migrate.latest({ migrationSource })) as [number, string[]];
    return applied;
  };
  return {
    first: async () => void (await latest()),
    async second() {
      migrations["002_email"] = [SECOND];
      await latest();
    },
    drift: latest,
    end: () => knex.destroy(),
  };
}
