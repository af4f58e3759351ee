import type { Breaks } from "./breaks";

const A_PERSON = `insert into handrail.person (id, name, password_hash, role)
  values (gen_random_uuid(), gen_random_uuid()::text, '$argon2id$forged', 'admin')`;

/** Rules about actions: plans, operations, people, and the audit. */
export const BREAKS_OF_ACTS: Breaks = {
  "An item belongs to a plan": [
    "completed",
    `insert into handrail.plan_item (plan_id, position, run_id, workflow, revision, generation, included, detail)
     values ($1, 1, $1, 'w', 0, 1, true, '{}')`,
  ],
  "A complete plan has as many items as it counts, numbered from 1": [
    "completed",
    `insert into handrail.plan (id, act, params, selection, made_by, expires_at, hash, totals, executed_at) select id, 'rerun', '{}', '{}', 'me', now() + interval '1 day', repeat('0', 64), '{"runs": 1, "included": 0}', now() from handrail.run where id = $1`,
  ],
  "The counts of an operation are those of its items": [
    "completed",
    `insert into handrail.operation (id, plan_id, run_id, act, params, "by", reason, rate_per_second, canary, total, done) select id, id, id, 'rerun', '{}', '{}', 'why', 1, 0, 1, 1 from handrail.run where id = $1`,
  ],
  "An item was carried out only if its plan includes it": [
    "completed",
    `with op as (insert into handrail.operation (id, plan_id, run_id, act, params, "by", reason, rate_per_second, canary, total) select id, id, id, 'rerun', '{}', '{}', 'why', 1, 0, 1 from handrail.run where id = $1 returning id) insert into handrail.operation_item (operation_id, position, run_id, outcome) select id, 1, id, 'done' from op`,
  ],
  "Every change by an operation is in the audit log with its plan": [
    "completed",
    `with op as (insert into handrail.operation (id, plan_id, run_id, act, params, "by", reason, rate_per_second, canary, total) select id, id, id, 'rerun', '{}', '{}', 'why', 1, 0, 1 from handrail.run where id = $1 returning id) insert into handrail.operation_item (operation_id, position, run_id, outcome) select id, 1, id, 'done' from op`,
  ],
  "A plan that needs a second approver was approved by someone other than its author": [
    "completed",
    `with plan as (insert into handrail.plan (id, act, params, selection, made_by, expires_at, hash, totals)
       select id, 'rerun', '{}', '{}', 'mia', now(), repeat('0', 64), '{"runs":0,"included":0,"secondPerson":{"runs":1,"workflows":[]}}'
       from handrail.run where id = $1 returning id)
     insert into handrail.operation (id, plan_id, run_id, act, params, "by", reason, rate_per_second, canary, total)
     select id, id, id, 'rerun', '{}', '{}', 'why', 1, 0, 1 from plan`,
  ],
  "A running operation has a run that has not ended": [
    "completed",
    `with ended as (update handrail.run set finished_at = now() - interval '2 minutes' where id = $1)
     insert into handrail.operation (id, plan_id, run_id, act, params, "by", reason, rate_per_second, canary, total) select id, id, id, 'rerun', '{}', '{}', 'why', 1, 0, 1 from handrail.run where id = $1`,
  ],
  "Remains of a deleted operation belong to one that is being deleted": [
    "completed",
    "insert into handrail.operation_item (operation_id, position, run_id, outcome) select gen_random_uuid(), 1, id, 'done' from handrail.run where id = $1",
  ],
  "Every worker knows which workflows have paused new runs": [
    "runningAt",
    "insert into handrail.closed_intake (workflow, holds, closed_by, reason) select id::text, 'all', 'me', 'why' from handrail.run where id = $1",
  ],
  "No run has begun since its workflow paused new runs": [
    "completed",
    `insert into handrail.closed_intake (workflow, holds, closed_by, reason, closed_at)
     select workflow, 'new', 'me', 'why', started_at - interval '1 s' from handrail.run where id = $1`,
  ],
  "Every recorded request has its answer": [
    "pending",
    "insert into handrail.request (key, fingerprint) select id::text, 'f' from handrail.run where id = $1",
  ],
  "Where people sign in, one of them manages access": [
    "pending",
    `${A_PERSON}; update handrail.person set role = 'viewer'`,
  ],
  "Every person was added by an audited invitation link or sign-in provider group": ["pending", A_PERSON],
  "Every linked account of the sign-in provider has an audited link": [
    "pending",
    `${A_PERSON}; insert into handrail.person_identity (issuer, subject, person_id, by_groups)
     select 'https://login.example', 'planted', id, true from handrail.person on conflict do nothing`,
  ],
  "Every live session began with an audited sign-in": [
    "pending",
    `${A_PERSON}; insert into handrail.session (id, token_hash, person_id, expires_at)
     select gen_random_uuid(), sha256(convert_to(id::text, 'utf8')), id, 'infinity' from handrail.person`,
  ],
  "Every saved view was saved by an audited action": [
    "completed",
    `insert into handrail.saved_view (id, name, owner_id, owner, shared, state, updated_by)
     select gen_random_uuid(), 'forged', 'anybody', 'nobody', true, '{}', 'nobody' from handrail.run where id = $1`,
  ],
  "Every token was created by an audited action": [
    "pending",
    `insert into handrail.token (id, name, token_hash, scopes, created_by, expires_at)
     values (gen_random_uuid(), 'forged', sha256('forged'), '{admin}', 'mia', 'infinity')`,
  ],
  "Limits that a person set have an audited action": [
    "pending",
    "insert into handrail.queue_limit (workflow, concurrency, set_by) select id::text, 1, 'mia' from handrail.run where id = $1",
  ],
  "Every repair generation was opened by an audited action": [
    "completed",
    "update handrail.run set generation = 2 where id = $1",
  ],
  "Every cancelled run was cancelled by an audited action": [
    "completed",
    "update handrail.run set status = 'cancelled' where id = $1",
  ],
  "Every compensation that a person recorded has an audited action": [
    "compensating",
    `update handrail.compensation set status = 'waived', "by" = 'mia', note = 'n', finished_at = now() where run_id = $1`,
  ],
  "The triggers that protect the audit log from changes are enabled": [
    "completed",
    "alter table handrail.audit_chain enable trigger audit_chain_no_truncate",
  ],
  "Every request took effect once": [
    "completed",
    `insert into handrail.audit (actor, act, run_id, reason, before, after, request_key)
     select 'mia', 'cancel', $1, 'r', '{}', '{}', 'one-key' from generate_series(1, 2)`,
  ],
  "The audit log's chain ends at its recorded end, and its last thousand rows have no gap": [
    "completed",
    "update handrail.audit_chain set seq = 7",
  ],
  "Each action on a run began with the state that the previous action left, or a later one": [
    "completed",
    `insert into handrail.audit (actor, act, run_id, reason, before, after)
     select 'mia', 'settle', $1, 'r', '{"revision": 4}', '{"revision": 5}' from generate_series(1, 2)`,
  ],
};
