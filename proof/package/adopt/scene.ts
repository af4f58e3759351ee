import { mkdir } from "node:fs/promises";
import path from "node:path";
import { inspect } from "node:util";
import pg from "pg";
import { OnTerminal, sh } from "./stranger";

/** What all paths share. Packing begins when the first asks. */
export interface Shared {
  /** A server with nothing of Handrail. */
  postgresUrl: string;
  tarball(): Promise<string>;
  consoleTarball(): Promise<string>;
}

/** One way to adopt Handrail, from an empty folder on. */
export interface Path {
  name: string;
  /** For the table. */
  does: string;
  walk(scene: Scene): Promise<void>;
}

interface Database {
  url: string;
  pool: pg.Pool;
}

/** Where a path is walked: its folder, and what it has found. */
export class Scene {
  passed = 0;
  readonly failures: string[] = [];
  private readonly ends: (() => void | Promise<void>)[] = [];
  private databases = 0;
  private isOver = false;

  constructor(
    private readonly name: string,
    /** Empty at first; others may read it, as PostgreSQL's user has to. */
    readonly folder: string,
    readonly shared: Shared,
    private readonly say: (line: string) => void,
  ) {}

  /**
   * A check, which passes unless it throws. What follows one that fails is not tried.
   * @returns what it gives
   */
  async check<Given>(what: string, work: () => Given | Promise<Given>): Promise<Given> {
    if (this.isOver) throw new Error("The path was interrupted.");
    try {
      const given = await work();
      this.passed += 1;
      this.say(`  ✓ ${what}`);
      return given;
    } catch (error) {
      this.failures.push(`${what}: ${inWords(error as Error)}`);
      this.say(`  ✗ ${what}`);
      throw error;
    }
  }

  /** A line that ends, as a check. */
  run(line: string, cwd = this.folder, env?: Record<string, string>): Promise<string> {
    return this.check(`$ ${line}`, () => sh(line, { cwd, env }));
  }

  /** A line that stays, on a terminal. */
  begin(line: string, cwd = this.folder, env?: Record<string, string>): OnTerminal {
    const begun = new OnTerminal(line, { cwd, env });
    this.atEnd(() => begun.killAll());
    return begun;
  }

  async aFolder(name: string): Promise<string> {
    const folder = path.join(this.folder, name);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** An empty database. */
  async aDatabase(): Promise<Database> {
    this.databases += 1;
    const url = new URL(this.shared.postgresUrl);
    url.pathname = `/adopt_${this.name.replaceAll("-", "_")}_${process.pid}_${this.databases}`;
    const onServer = async (statement: string) => {
      const client = new pg.Client({ connectionString: this.shared.postgresUrl });
      await client.connect();
      await client.query(statement).finally(() => client.end());
    };
    await onServer(`create database ${url.pathname.slice(1)}`);
    const pool = this.connect(url.href);
    this.atEnd(() => onServer(`drop database if exists ${url.pathname.slice(1)} with (force)`));
    return { url: url.href, pool };
  }

  /** Its connections may be cut. */
  connect(url: string): pg.Pool {
    const pool = new pg.Pool({ connectionString: url });
    pool.on("error", () => undefined);
    pool.on("connect", (client) => client.on("error", () => undefined));
    this.atEnd(() => (pool.ended ? undefined : pool.end()));
    return pool;
  }

  /** The last first. */
  atEnd(work: () => void | Promise<void>): void {
    this.ends.unshift(work);
  }

  async end(): Promise<void> {
    this.isOver = true;
    for (const work of this.ends.splice(0)) await work();
  }
}

/** With the value that an expectation was about. */
const inWords = (error: Error & { actual?: unknown }): string =>
  error.actual === undefined ? error.message : `${error.message}\n${inspect(error.actual, { depth: 9 })}`;
