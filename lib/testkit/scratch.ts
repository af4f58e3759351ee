import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { HandrailError } from "../engine/errors";
import { migrate } from "../store/migrations/migrate";
import { dropDatabase } from "./drop-database";

/** Begins the name of every database that is made here. */
const PREFIX = "handrail_scratch_";
const IN_USE = "55006";
const MOST_TRIES = 100;

export interface ScratchOptions {
  /** A PostgreSQL whose user may create databases. Nothing in the named database is read or changed. */
  databaseUrl: string;
  /** Makes the app's own tables in a database that has Handrail's already. */
  prepare?: ((databaseUrl: string) => unknown) | undefined;
}

/** Databases of a test or a verification, dropped after it: one that has every table, and copies of it. */
export class Scratch {
  private readonly names = new Set<string>();
  private readonly making = new Set<Promise<void>>();
  private readonly template: string;

  private constructor(
    private readonly databaseUrl: string,
    private readonly server: pg.Pool,
  ) {
    this.template = this.newName();
  }

  /** @throws HandrailError `unavailable` without a server, or without the right to create databases */
  static async open({ databaseUrl, prepare }: ScratchOptions): Promise<Scratch> {
    const scratch = new Scratch(databaseUrl, await serverOf(databaseUrl));
    try {
      await scratch.create(scratch.template, "");
      await migrate(scratch.url);
      await prepare?.(scratch.url);
      return scratch;
    } catch (error) {
      await scratch.close();
      throw error;
    }
  }

  /** The address of the one that has every table. */
  get url(): string {
    return this.urlOf(this.template);
  }

  /** The address of a fresh copy. */
  async copy(): Promise<string> {
    const name = this.newName();
    await this.create(name, `template ${this.template} strategy file_copy`);
    return this.urlOf(name);
  }

  async drop(databaseUrl: string): Promise<void> {
    const name = new URL(databaseUrl).pathname.slice(1);
    await dropDatabase(this.server, name);
    this.names.delete(name);
  }

  /** Of the server, such as `18.1`. */
  async version(): Promise<string> {
    const { rows } = await this.server.query<{ version: string }>(
      "select current_setting('server_version') as version",
    );
    return rows[0]?.version.split(" ")[0] ?? "";
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.making);
    for (const name of this.names) await dropDatabase(this.server, name).catch(() => undefined);
    await this.server.end();
  }

  private newName(): string {
    const name = `${PREFIX}${randomUUID().replaceAll("-", "")}`;
    this.names.add(name);
    return name;
  }

  private urlOf(name: string): string {
    const url = new URL(this.databaseUrl);
    url.pathname = `/${name}`;
    return url.href;
  }

  private async create(name: string, from: string): Promise<void> {
    const made = this.makeDatabase(name, from);
    this.making.add(made);
    try {
      await made;
    } catch (error) {
      throw needsServer(error);
    }
  }

  /** A connection that was just closed keeps the copied database in use for a moment. */
  private async makeDatabase(name: string, from: string): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        return void (await this.server.query(`create database ${name} ${from}`));
      } catch (error) {
        if ((error as { code?: string }).code !== IN_USE || tries === MOST_TRIES) throw error;
        await delay(50);
      }
    }
  }
}

const NO_DATABASE = "3D000";

/** The server, also when it does not have the named database yet. */
async function serverOf(databaseUrl: string): Promise<pg.Pool> {
  const open = (connectionString: string) => {
    const pool = new pg.Pool({ connectionString, max: 2, application_name: "handrail scratch databases" });
    pool.on("error", () => undefined);
    return pool;
  };
  const named = open(databaseUrl);
  try {
    await named.query("select");
    return named;
  } catch (error) {
    await named.end();
    if ((error as { code?: string }).code !== NO_DATABASE) throw needsServer(error);
    const url = new URL(databaseUrl);
    url.pathname = "/postgres";
    return open(url.href);
  }
}

const needsServer = (error: unknown) =>
  new HandrailError(
    "unavailable",
    `Databases have to be made for this, and are dropped at its end: that PostgreSQL does not let it (${(error as Error).message}). ` +
      "Name one whose user may, such as postgresql://postgres:password@127.0.0.1:5432/postgres.",
    {},
    { cause: error },
  );
