import type { Pool } from "pg";
import { effectiveSpec, type Schedule } from "../engine/schedules/schedule";
import { nextAfter } from "../engine/schedules/timing";
import type { Middleware } from "../engine/workflows/middleware";
import type { Context, RunFactsForAuthors, Workflow } from "../engine/workflows/workflow";
import type { LockedSchedule } from "../store/schedules/schedule-rows";
import { inSchema } from "../store/schema";

/*
 * `advance` moves the instants in the database back, and not the dates that code holds. So each instant of the engine that code reads is
 * later by as much, and each one that code gives is earlier. Here alone: a worker in production knows nothing of it.
 */

export const later = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);

type PassedMs = () => number;

/** The workflow as it runs where time has passed. */
export function inMovedTime(workflow: Workflow, passedMs: PassedMs): Workflow {
  return { ...workflow, handler: (ctx, input) => workflow.handler(contextIn(ctx, passedMs), input) };
}

export const aroundInMovedTime =
  (middleware: Middleware, passedMs: PassedMs): Middleware =>
  (call, next) =>
    middleware({ ...call, run: factsIn(call.run, passedMs()) }, next);

const contextIn = (ctx: Context, passedMs: PassedMs): Context => ({
  ...ctx,
  run: factsIn(ctx.run, passedMs()),
  now: (name = "now") => ctx.step(name, () => later(new Date(), passedMs()), { effect: "pure" }),
  sleepUntil: (name, instant) => ctx.sleepUntil(name, instant instanceof Date ? later(instant, -passedMs()) : instant),
});

const factsIn = (run: RunFactsForAuthors, passedMs: number): RunFactsForAuthors => ({
  ...run,
  createdAt: later(run.createdAt, passedMs),
  scheduledAt: run.scheduledAt && later(run.scheduledAt, passedMs),
});

/** Time passes from one nominal time to the next, so that none is missed; "all" would look for them in the real calendar. */
export const missingNone = (schedule: Schedule): Schedule => ({
  ...schedule,
  spec: { ...schedule.spec, missed: "last" },
});

/** Of schedules that are not due: these two at one moment. */
type Ahead = Pick<LockedSchedule, "name" | "definition" | "override" | "nominal_at" | "now">;

/**
 * A worker plans the next time of a schedule by the real calendar: puts it where it is in the moved one.
 * @returns whether one was elsewhere
 */
export async function followCalendar(pool: Pool, passedMs: number): Promise<boolean> {
  const { rows } = await pool.query<Ahead>({
    name: "handrail_calendar",
    text: inSchema(
      "select name, definition, override, nominal_at, clock_timestamp() as now from handrail.schedule where look_at > clock_timestamp()",
    ),
  });
  let moved = false;
  for (const { name, definition, override, nominal_at: at, now } of rows) {
    const { timing } = effectiveSpec(definition, override);
    const next = later(nextAfter(timing, later(now, passedMs)), -passedMs);
    if (next.getTime() === at?.getTime()) continue;
    await pool.query(
      inSchema(`update handrail.schedule set nominal_at = $2::timestamptz,
        look_at = case when look_at = nominal_at then $2::timestamptz else least(look_at, $2::timestamptz) end
        where name = $1 and nominal_at = $3::timestamptz`),
      [name, next, at],
    );
    moved = true;
  }
  return moved;
}
