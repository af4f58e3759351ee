import type { Breaks } from "./breaks";

const A_PROBLEM = `(id, kind, workflow, error_name, pattern, failures, open_runs, first_at, last_at, example_run_id, example_version, example_error) select gen_random_uuid(), 'failed', 'w', 'Error', 'no', 1, 1, now(), now(), id, 1, '{}' from handrail.run where id = $1`;

const aMessage = (attempts: number) => `
  with destination as (
    insert into handrail.destination (id, name, kind, addresses, events, per_minute, created_by)
    values (gen_random_uuid(), gen_random_uuid()::text, 'email', '{a@b}', '{}', 1, 'me') returning id
  )
  insert into handrail.delivery (id, destination_id, status, events, event_count, run_id, attempts)
  select gen_random_uuid(), id, 'sending', '[]', 1, $1, ${attempts} from destination`;

/** Rules about data derived from runs: counts, problems, notices. */
export const BREAKS_BEHIND_RUNS: Breaks = {
  "The row that workers lock to fold failures exists": [
    "completed",
    "delete from handrail.problem_fold where $1::text is not null",
  ],
  "The row that records how far runs are counted exists": [
    "completed",
    "delete from handrail.rollup_fold where $1::text is not null",
  ],
  "Runs are counted for the charts while a worker is live": [
    "completed",
    `insert into handrail.worker (name, workflows, concurrency, started_at, lease_expires_at)
     values ('alive', '{}', 1, now() - interval '1 hour', now() + interval '1 hour')`,
  ],
  "Every ended run is counted": [
    "completed",
    "update handrail.rollup_fold set ended_at = now() + interval '2 minutes' where $1::text is not null",
  ],
  "An hour counts as many runs as its minutes": [
    "completed",
    "insert into handrail.run_rollup (minutes, at, workflow, version, failed) values (60, date_trunc('hour', now()), $1::text, 1, 1)",
  ],
  "Executions of a step are counted under a known name, each with its duration": [
    "completed",
    "insert into handrail.step_rollup (minutes, at, workflow, version, step, executions) values (1, now(), $1::text, 1, 's', 1)",
  ],
  "A superseded end of a run came before its current one": [
    "completed",
    `insert into handrail.run_end (run_id, at, workflow, version, generation, status, created_at)
     select id, finished_at, workflow, 1, 1, 'failed', created_at from handrail.run where id = $1`,
  ],
  "The row that workers lock to hand over notices exists": [
    "completed",
    "delete from handrail.notice_turn where $1::text is not null",
  ],
  "Notices are handed over while a worker is live": [
    "runningAt",
    `with late as (insert into handrail.notice (kind, due_at, workflows, run_id)
       select 'approval.waiting', now() - interval '2 minutes', '{w}', id from handrail.run where id = $1)
     update handrail.worker set started_at = now() - interval '1 hour', lease_expires_at = now() + interval '1 hour'`,
  ],
  "The row that processes lock to judge alert rules exists": [
    "completed",
    "delete from handrail.alert_turn where $1::text is not null",
  ],
  "Alert rules are judged while a worker is live": [
    "completed",
    `with turn as (insert into handrail.alert_turn (judged_at) select now() - interval '2 minutes' where $1::text is not null
       on conflict (one) do update set judged_at = excluded.judged_at)
     insert into handrail.worker (name, workflows, concurrency, started_at, lease_expires_at)
     values ('idle', '{}', 1, now() - interval '1 hour', now() + interval '1 hour')`,
  ],
  "An alert rule has an open alert while it fires, and none otherwise": [
    "completed",
    "insert into handrail.alert (id, rule_id) select $1::uuid, id from handrail.alert_rule limit 1",
  ],
  "A message that is being sent has an active run that sends it": ["completed", aMessage(0)],
  "A message has as many attempts as it counts": ["runningAt", aMessage(1)],
  "A problem has as many open runs as it counts": ["completed", `insert into handrail.problem ${A_PROBLEM}`],
  "The failures of a problem are the sum of its versions'": ["completed", `insert into handrail.problem ${A_PROBLEM}`],
  "A run that has failed or is in doubt belongs to a problem, or is about to": [
    "failedAt",
    "delete from handrail.trouble where run_id = $1",
  ],
  "A problem has only runs that need attention, or that are about to leave it": [
    "completed",
    "insert into handrail.problem_run (run_id, problem_id, since) values ($1, $1, now())",
  ],
  "A probe that has not ended has a rerun under way, or one that is due": [
    "completed",
    `insert into handrail.probe (id, problem_id, run_id, "by", reason, most_tries) values ($1, $1, $1, '{}', 'why', 1)`,
  ],
  "Every key of a problem refers to an existing problem": [
    "completed",
    "insert into handrail.problem_fingerprint (workflow, step, kind, rule, fingerprint, problem_id) values ('w', '', 'failed', 1, 'f', $1)",
  ],
  "Expired requests to the code of workers are deleted while a worker is live": [
    "completed",
    `with gone as (insert into handrail.code_request (id, workflow, version, request, expires_at)
       values ($1, 'w', 1, '{}', now() - interval '2 minutes'))
     insert into handrail.worker (name, workflows, concurrency, started_at, lease_expires_at)
     values ('idle', '{}', 1, now() - interval '1 hour', now() + interval '1 hour')`,
  ],
  "Failures are folded into problems while a worker is live": [
    "failedAt",
    `with old as (update handrail.trouble set at = now() - interval '2 minutes' where run_id = $1)
     insert into handrail.worker (name, workflows, concurrency, started_at, lease_expires_at)
     values ('idle', '{}', 1, now() - interval '1 hour', now() + interval '1 hour')`,
  ],
};
