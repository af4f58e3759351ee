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
    name: "The row that processes lock to judge alert rules exists",
    promise: "P1",
    meaning:
      "No alert rule will fire: the row was deleted outside Handrail. Insert it again, `insert into handrail.alert_turn default values`.",
    sql: `select 'missing' as alert_turn where not exists (select from handrail.alert_turn)`,
  },
  {
    name: "Alert rules are judged while a worker is live",
    promise: "P1",
    meaning:
      "No alert rule was judged for more than a minute: look for a transaction that holds handrail.alert_turn, and for warnings in the logs of workers.",
    sql: `
      select judged_at from handrail.alert_turn where judged_at > '-infinity' and judged_at < clock_timestamp() - interval '1 minute'
        and ${A_WORKER_LIVES}`,
  },
  {
    name: "An alert rule has an open alert while it fires, and none otherwise",
    promise: "P1",
    meaning: `The state of the rule and its alerts differ. ${REPORT}.`,
    sql: `
      select rule.id, rule.name, rule.state, alert.id as alert from handrail.alert_rule as rule
      left join handrail.alert on alert.rule_id = rule.id and alert.resolved_at is null
      where (rule.state = 'firing') <> (alert.id is not null)`,
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
