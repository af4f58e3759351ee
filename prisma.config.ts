import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { defineConfig } from "prisma/config";

// The Prisma CLI needs a schema engine for every command, `generate` included. Where its download is missing (no network
// but npm), ours takes its place.
if (!process.env.PRISMA_SCHEMA_ENGINE_BINARY && process.platform !== "win32" && !hasNativeEngine()) {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY = path.resolve(import.meta.dirname, "scripts/schema-engine.mjs");
}

function hasNativeEngine(): boolean {
  const engines = path.resolve(createRequire(import.meta.url).resolve("@prisma/engines"), "../..");
  return existsSync(engines) && readdirSync(engines).some((file) => file.startsWith("schema-engine-"));
}

/** In the client, and no concern of Prisma's migrations: the demo makes them. */
const DEMO_TABLES = ["order", "stock_reservation", "profile", "account", "account_entry", "synced_user"];

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  experimental: { externalTables: true },
  tables: { external: DEMO_TABLES.map((table) => `demo.${table}`) },
  // Migrations take a lock that belongs to their session: a pooler would lend it to others.
  datasource: { url: process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL || "" },
});
