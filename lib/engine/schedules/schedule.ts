import type { StandardSchemaV1 } from "@standard-schema/spec";
import { HandrailError } from "../errors";
import { encodeValue } from "../values/codec";
import type { TypedWorkflow, Workflow } from "../workflows/workflow";
import { checkTiming, type Timing } from "./timing";

/** What a schedule does at a nominal time while an earlier run of it has not ended. */
export const OVERLAPS = ["skip", "queue", "allow", "cancel"] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** What happens to nominal times that passed while no worker was live. */
export const MISSED_POLICIES = ["skip", "last", "all"] as const;
export type MissedPolicy = (typeof MISSED_POLICIES)[number];

/** The editable fields of a schedule. */
export interface ScheduleSpec {
  timing: Timing;
  /** The input of each run, encoded by the codec. */
  input: string;
  overlap: Overlap;
  missed: MissedPolicy;
  /** For `missed: "all"`: how far back, in milliseconds. */
  missedWindowMs: number;
}

/** A schedule as defined in code. */
export interface Schedule {
  readonly name: string;
  readonly title: string;
  readonly workflow: string;
  readonly spec: ScheduleSpec;
}

interface Common<Schema extends StandardSchemaV1> {
  /** Its permanent identifier: lower-case letters, digits and `-`, `_`, `.`; 100 characters at most. */
  name: string;
  /** Display name. Default: the name. */
  title?: string;
  workflow: TypedWorkflow<Schema, unknown>;
  /** The same for every run; the nominal time is `ctx.run.scheduledAt`. */
  input: StandardSchemaV1.InferInput<Schema>;
  /**
   * While an earlier run of the schedule has not ended: `"skip"` the new one (default); `"queue"` one until it has ended;
   * `"allow"` both; `"cancel"` the earlier one, and start when it has ended.
   */
  overlap?: Overlap;
  /**
   * Nominal times that passed while no worker was live: `"last"` fires the last of them (default), `"skip"` none,
   * `"all"` every one within `missedWindowMs`, which needs `overlap: "allow"`.
   */
  missed?: MissedPolicy;
  /** Default 86,400,000: a day. At most 31 days. */
  missedWindowMs?: number;
}

export type ScheduleOptions<Schema extends StandardSchemaV1> = Common<Schema> &
  (
    | {
        /** Five fields, or six with seconds first. */
        cron: string;
        /** An IANA time zone. Default `"UTC"`. */
        timeZone?: string;
        everyMs?: never;
      }
    | {
        /** Fires at every multiple of this since 1970 UTC; at least 1,000. */
        everyMs: number;
        cron?: never;
        timeZone?: never;
      }
  );

const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;
const DAY_MS = 86_400_000;
const MAX_WINDOW_MS = 31 * DAY_MS;

/** @throws HandrailError `invalid_schedule` that says what to write instead */
export function defineSchedule<Schema extends StandardSchemaV1>(options: ScheduleOptions<Schema>): Schedule {
  const { name, workflow, input } = options;
  const text = encodeValue(input, `input of schedule "${name}"`);
  return checkedSchedule({ ...options, workflow: workflow.name, input: text });
}

/** As code or a program gives it. */
export interface GivenSchedule {
  name: string;
  title?: string | undefined;
  workflow: string;
  /** Encoded by the codec. */
  input: string;
  cron?: string | undefined;
  timeZone?: string | undefined;
  everyMs?: number | undefined;
  overlap?: Overlap | undefined;
  missed?: MissedPolicy | undefined;
  missedWindowMs?: number | undefined;
}

/** With the defaults. @throws HandrailError `invalid_schedule` that says what to write instead */
export function checkedSchedule(given: GivenSchedule): Schedule {
  const { name, title = name, workflow, input, overlap = "skip", missed = "last", missedWindowMs = DAY_MS } = given;
  const { cron, timeZone, everyMs } = given;
  if (!NAME.test(name))
    throw invalid(
      `"${name}" cannot name a schedule. Use lower-case letters, digits, "-", "_" and ".", such as "nightly-report".`,
    );
  if (cron === undefined ? everyMs === undefined : everyMs !== undefined)
    throw invalid("A schedule has either cron with a time zone, or everyMs.");
  if (cron === undefined && timeZone !== undefined) throw invalid("A time zone needs a cron expression.");
  const timing: Timing = cron === undefined ? { everyMs: everyMs as number } : { cron, timeZone: timeZone ?? "UTC" };
  const spec = { timing, input, overlap, missed, missedWindowMs };
  checkSpec(spec);
  return { name, title, workflow, spec };
}

/** @throws HandrailError `invalid_schedule` */
export function checkSpec({ timing, overlap, missed, missedWindowMs }: ScheduleSpec): void {
  checkTiming(timing);
  if (missed === "all" && overlap !== "allow")
    throw invalid(
      'missed: "all" starts several runs at once, so it needs overlap: "allow". Otherwise use missed: "last".',
    );
  if (!Number.isInteger(missedWindowMs) || missedWindowMs < 1_000 || missedWindowMs > MAX_WINDOW_MS)
    throw invalid("missedWindowMs is a whole number of milliseconds from 1000 to 31 days.");
}

const invalid = (message: string) => new HandrailError("invalid_schedule", message);

/** The spec that applies: a person's overrides, and the code's definition for the rest. */
export const effectiveSpec = (definition: ScheduleSpec, override: Partial<ScheduleSpec> | null): ScheduleSpec => ({
  ...definition,
  ...override,
});

/** The tag with the schedule's name, on each of its runs. */
export const SCHEDULE_TAG = "schedule";

/** @throws HandrailError `invalid_schedule` for a duplicate name, or an unknown workflow */
export function checkSchedules(schedules: readonly Schedule[], workflows: readonly Workflow[]): void {
  const names = new Set<string>();
  for (const { name, workflow } of schedules) {
    if (names.has(name)) throw invalid(`Two schedules are named "${name}". Give each a unique name.`);
    names.add(name);
    if (!workflows.some((known) => known.name === workflow))
      throw invalid(`Schedule "${name}" starts workflow "${workflow}", which this worker does not have.`);
  }
}
