#!/usr/bin/env node
/**
 * Replaces Prisma's native schema engine, which npm does not hold: the Prisma CLI downloads it from elsewhere, so that
 * without this every `prisma …` fails where only npm is reachable. The same engine exists on npm as WebAssembly; this
 * speaks the CLI's protocol (JSON-RPC lines on stdio) and passes each call to it, with `pg` as its way to the database.
 * prisma.config.ts uses it only where the native engine is missing. Both are pinned to one version.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";

const { values: options, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    datamodels: { type: "string", multiple: true },
    datasource: { type: "string" },
    "enabled-preview-features": { type: "string" },
    "extension-types": { type: "string" },
    version: { type: "boolean" },
  },
});
const url = options.datasource ? JSON.parse(options.datasource).url : undefined;

/** The database of the URL, or another one on its server. The search path is the one that the native engine sets. */
function connection(database) {
  const target = new URL(url);
  if (database) target.pathname = `/${database}`;
  const schema = target.searchParams.get("schema") ?? "public";
  return { connectionString: target.href, options: `-c search_path=${pg.escapeIdentifier(schema)}` };
}

// The adapter is made for the client's queries; what migrations need beyond them is put right here.

const CHAR_OID = 18;
const { addFields } = pg.Result.prototype;
/** The adapter refuses the catalogue's type "char". Let it pass as text, and remember which columns those were. */
pg.Result.prototype.addFields = function (fields) {
  this.charColumns = [];
  fields.forEach((field, index) => {
    if (field.dataTypeID !== CHAR_OID) return;
    field.dataTypeID = pg.types.builtins.TEXT;
    this.charColumns.push(index);
  });
  return addFields.call(this, fields);
};

function forMigrations(adapter) {
  const charColumns = new WeakMap();
  const { performIO, queryRaw } = adapter;
  adapter.performIO = async (query) => {
    const result = await performIO.call(adapter, query);
    charColumns.set(result.rows, result.charColumns ?? []);
    return result;
  };
  adapter.queryRaw = async (query) => {
    const result = await queryRaw.call(adapter, query);
    for (const index of charColumns.get(result.rows) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  // The adapter's own cuts a script at every ";", also inside a function's body.
  adapter.executeScript = async (script) => {
    await adapter
      .underlyingDriver()
      .query(script)
      .catch((error) => adapter.onError(error));
  };
  return adapter;
}

class MigrationAdapters extends PrismaPg {
  async connect() {
    return forMigrations(await super.connect());
  }

  /** Given a URL, the adapter's own takes the real database for the shadow. */
  async connectToShadowDb() {
    const name = `prisma_migrate_shadow_db_${randomUUID()}`;
    const server = new pg.Pool({ ...connection(), max: 1 });
    await server.query(`create database "${name}"`);
    const shadow = forMigrations(await new PrismaPg(connection(name)).connect());
    const dispose = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await dispose();
      await server.query(`drop database if exists "${name}" with (force)`);
      await server.end();
    };
    return shadow;
  }
}

/** Answers the CLI's calls, one line each, until it closes our input. */
async function serve() {
  const factory = bindMigrationAwareSqlAdapterFactory(new MigrationAdapters(connection()));
  const engine = await loadEngine(factory);
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    if (!method) continue; // the CLI's receipt for a "print"
    try {
      const result = (await engine[method === "getDatabaseVersion" ? "version" : method](params)) ?? {};
      if (method === "diff" && result.stdout) send({ id: 0, method: "print", params: { content: result.stdout } });
      send({ id, result });
    } catch (error) {
      send({ id, error: explain(error, factory.errorRegistry) });
    }
  }
}

async function loadEngine(factory) {
  const directory = path.dirname(fileURLToPath(import.meta.resolve("@prisma/schema-engine-wasm")));
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => complain({ message }) };
  const glue = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const module = await WebAssembly.compile(readFileSync(path.join(directory, "schema_engine_bg.wasm")));
  const { exports } = await WebAssembly.instantiate(module, { "./schema_engine_bg.js": glue });
  glue.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
  const datamodels = options.datamodels?.map((file) => [file, readFileSync(file, "utf8")]);
  return glue.SchemaEngine.new({ datamodels }, () => undefined, factory);
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function explain(error, registry) {
  const cause = typeof error.code === "number" ? registry.consumeError(error.code)?.error : undefined;
  const message = cause?.message || error.message || String(error);
  const data = { is_panic: false, message, meta: error.meta ?? null, error_code: error.code ?? null };
  return { code: 4466, message, data };
}

/** Lines on stderr as the native engine logs them. The CLI skips the first line. */
function complain(fields) {
  console.error(`\n${JSON.stringify({ level: "ERROR", target: "schema_engine::logger", fields })}`);
}

const P1003_NO_DATABASE = "3D000";

/** `cli can-connect-to-database` and `cli create-database`: the answer is the exit code. */
async function command(name) {
  const create = name === "create-database";
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  const client = new pg.Client(connection(create ? "postgres" : undefined));
  try {
    await client.connect();
    if (create) await client.query(`create database ${pg.escapeIdentifier(database)}`);
  } catch (error) {
    const message = error.message || error.code;
    complain({ error_code: error.code === P1003_NO_DATABASE ? "P1003" : "P1001", message });
    process.exitCode = 1;
  } finally {
    await client.end();
  }
}

if (options.version) console.log("schema-engine-cli (WebAssembly)");
else if (positionals[0] === "cli") await command(positionals[1]);
else await serve();
