import type { Attention, RunStatus } from "../../engine/runs/run";

/** A filter of runs. Several values of one field: any of them; several fields: all of them. */
export interface RunFilter {
  status?: RunStatus[] | undefined;
  workflow?: string[] | undefined;
  attention?: Attention[] | undefined;
  /**
   * A run's id or at least eight characters of its beginning, an idempotency key, the value of a tag, or a title or at least three
   * characters of its beginning, in any case.
   */
  q?: string | undefined;
  /** By name; several values of one tag: any of them. */
  tags?: Record<string, string | string[]> | undefined;
  /** The run's current step: it failed there, waits there, or executes it now. */
  step?: string[] | undefined;
  /** A part of the run's error, of its name, code or message; case is ignored. */
  error?: string[] | undefined;
  version?: number[] | undefined;
  /** What it did, all of which holds: lib/engine/runs/run-question.ts. */
  where?: string[] | undefined;
  /** Milliseconds since it began, until its end or until now: at least, and less than. */
  tookOverMs?: number | undefined;
  tookUnderMs?: number | undefined;
  notWorkflow?: string[] | undefined;
  notStep?: string[] | undefined;
  notError?: string[] | undefined;
  notVersion?: number[] | undefined;
  /** How many titles begin with `q`, found out before the ways to the runs are chosen: narrowed.ts. */
  titled?: "none" | "few" | "many" | undefined;
  /** Only the children of this run. */
  parentRunId?: string | undefined;
  /** Only those that this problem holds now. */
  problem?: string | undefined;
  /** Instants. The first is included, the second not. */
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
  /** For callers who may not see masked values: no answer reveals whether one matches. */
  blind?: boolean | undefined;
}

/** Whether it has no other field. `blind` describes the caller, and is not a condition. */
export function asksOnlyFor({ blind: _, ...filter }: RunFilter, fields: readonly (keyof RunFilter)[]): boolean {
  const isEmpty = (value: unknown) =>
    value === undefined || value === "" || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
  return Object.entries(filter).every(([field, value]) => (fields as string[]).includes(field) || isEmpty(value));
}

/** Collects a statement's values while its text is built. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Returns the placeholder of the value. */
  add(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }
}

/** Puts the values into the text, for which see `cappedStatement`: numbers and words of our own, nothing that anybody typed. */
export class Constants extends Parameters {
  override add(value: unknown, type: string): string {
    const text = Array.isArray(value) ? `{${value.join(",")}}` : String(value);
    if (!/^[\w{},]+$/.test(text)) throw new Error(`${text} is no constant of a statement.`);
    return `'${text}'::${type}`;
  }
}
