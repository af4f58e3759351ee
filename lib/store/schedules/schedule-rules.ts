import { firedBy } from "./due-schedules";

/** Rules about schedules. */
export const SCHEDULE_RULES = [
  {
    name: "A run of a schedule and its nominal time name each other",
    promise: "P7",
    meaning:
      "A schedule's run lacks its nominal time, or the other way round: rows were deleted outside Handrail, or a time was fired twice. Keep the rows and report them.",
    sql: `
      select id as run_id, schedule, scheduled_at from handrail.run
      where (schedule is null) <> (scheduled_at is null) or (schedule is not null and not exists (
        select from handrail.firing where run_id = run.id and firing.schedule = run.schedule and nominal_at = run.scheduled_at))
      union all
      select run_id, schedule, nominal_at from handrail.firing
      where run_id is not null and not exists (select from handrail.run where id = firing.run_id)`,
  },
  {
    name: "A schedule wakes no later than at its next nominal time",
    promise: "P7",
    meaning: "A schedule would fire late. Pause and resume it, keep the row and report it.",
    sql: `select name, nominal_at, look_at from handrail.schedule where look_at > nominal_at`,
  },
  {
    name: "A due schedule is fired while a live worker can",
    promise: "P7",
    meaning:
      "A schedule was due more than a minute ago, and a live worker defines it: look for a transaction that holds its row, and for warnings in the worker's log.",
    sql: `
      select schedule.name, schedule.look_at from handrail.schedule
      where look_at < clock_timestamp() - interval '1 minute' and exists (
        select from handrail.worker
        where worker.stopped_at is null and worker.stopping_at is null and worker.lease_expires_at > clock_timestamp()
          and worker.started_at < clock_timestamp() - interval '1 minute'
          and ${firedBy("worker")})`,
  },
] as const;
