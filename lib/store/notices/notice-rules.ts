const REPORT = "This is a bug in the engine: keep the rows and report them";
const A_WORKER_LIVES = `exists (select from handrail.worker alive where alive.stopped_at is null and alive.language is null
          and alive.started_at < clock_timestamp() - interval '1 minute' and alive.lease_expires_at > clock_timestamp())`;

/** Rules about notifications. */
export const NOTICE_RULES = [
  {
    name: "The row that workers lock to hand over notices exists",
    promise: "P1",
    meaning:
      "No notifications will be sent: the row was deleted outside Handrail. Insert it again, `insert into handrail.notice_turn default values`.",
    sql: `select 'missing' as notice_turn where not exists (select from handrail.notice_turn)`,
  },
  {
    name: "Notices are handed over while a worker is live",
    promise: "P1",
    meaning:
      "A notice has waited for more than a minute: look for a worker that cannot reach the database, or a transaction that holds handrail.notice_turn.",
    sql: `
      select seq, kind, at, due_at from handrail.notice
      where seq = (select seq from handrail.notice order by due_at, seq limit 1) and due_at < clock_timestamp() - interval '1 minute'
        and ${A_WORKER_LIVES}`,
  },
  {
    name: "A message that is being sent has an active run that sends it",
    promise: "P1",
    meaning: "Its run was cancelled, so the message will not be sent. Deliver it again in Settings, or leave it.",
    sql: `
      select delivery.id, delivery.destination_id, delivery.run_id from handrail.delivery
      where delivery.status = 'sending' and not exists (
        select from handrail.run where run.id = delivery.run_id and run.status not in ('completed', 'failed', 'cancelled', 'compensated'))`,
  },
  {
    name: "A message has as many attempts as it counts",
    promise: "P3",
    meaning: `A message was sent and is not on record. ${REPORT}; the recipient identifies each by its webhook-id.`,
    sql: `
      select delivery.id, delivery.attempts, attempt.attempts as on_record from handrail.delivery cross join lateral (
        select count(*)::int as attempts from handrail.delivery_attempt where delivery_id = delivery.id) as attempt
      where delivery.attempts <> attempt.attempts`,
  },
] as const;
