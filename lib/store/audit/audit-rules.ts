import { ACCESS_RULES } from "../access/access-rules";
import type { Rule } from "../database/doctor-rules";
import { VIEW_RULES } from "../runs/view-rules";

const REPORT = "This is a bug in the engine: keep the rows and report them";

/** Audit rules, for databases in which only operators' actions change runs. */
export const AUDIT_RULES: readonly Rule[] = [
  {
    name: "Every repair generation was opened by an audited action",
    promise: "P4",
    meaning:
      "Steps run again without an audited action: the run's rows were changed outside Handrail, or the engine has a bug.",
    sql: `
      select run.id, run.generation from handrail.run where run.generation > 1 and run.generation - 1 <> (
        select count(*) from handrail.audit where audit.run_id = run.id and audit.result = 'done'
          and (audit.after ->> 'generation')::int > (audit.before ->> 'generation')::int)`,
  },
  {
    name: "Every cancelled run was cancelled by an audited action",
    promise: "P6",
    meaning:
      "A run that was not to begin by an earlier time was cancelled without an audited action: its row was changed outside Handrail, or the engine has a bug.",
    sql: `
      select run.id from handrail.run where run.status = 'cancelled'
        and not coalesce(run.begin_by <= coalesce(run.started_at, run.finished_at), false) and not exists (
        select from handrail.audit where audit.act = 'cancel' and audit.result = 'done'
          and (audit.run_id = run.id or run.ends_with_parent and audit.run_id = run.parent_run_id))`,
  },
  {
    name: "Every compensation that a person recorded has an audited action",
    promise: "P9",
    meaning:
      "A compensation carries a person's name without an audited action of that person: its row was changed outside Handrail, or the engine has a bug.",
    sql: `
      select run_id, step, "by" from handrail.compensation where status in ('completed', 'waived') and "by" <> 'worker'
        and not exists (select from handrail.audit where audit.run_id = compensation.run_id
          and audit.step = compensation.step and audit.act = 'mark_compensated' and audit.result = 'done')`,
  },
  {
    name: "Limits that a person set have an audited action",
    promise: "P9",
    meaning:
      "A workflow has limits that come neither from its code nor from an audited action: its row was changed outside Handrail. Set them again, or revert to the code's limits, on the Workflows page.",
    sql: `
      select workflow, set_by from handrail.queue_limit where not exists (
        select from handrail.audit where audit.workflow = queue_limit.workflow and audit.act = 'change_limits' and audit.result = 'done')`,
  },
  {
    name: "The triggers that protect the audit log from changes are enabled",
    promise: "P9",
    meaning:
      "Triggers were disabled, so rows of the audit log can be changed. Run `npm run audit`, then `alter table … enable always trigger …` for each one named.",
    sql: `
      select "table", trigger from (values
        ('"handrail".audit', 'audit_no_change'), ('"handrail".audit', 'audit_no_truncate'),
        ('"handrail".audit_chain', 'audit_chain_no_delete'), ('"handrail".audit_chain', 'audit_chain_no_truncate')
      ) as wanted ("table", trigger)
      where not exists (select from pg_catalog.pg_trigger
        where tgrelid = to_regclass("table") and tgname = trigger and tgenabled = 'A')`,
  },
  {
    name: "Every request took effect once",
    promise: "P9",
    meaning: `One click had two effects. ${REPORT}.`,
    sql: `
      select request_key, act, credential_id, run_id, count(*)::int as acts
      from handrail.audit where request_key is not null and result = 'done'
      group by request_key, act, credential_id, actor, run_id, schedule, workflow having count(*) > 1`,
  },
  {
    name: "Each action on a run began with the state that the previous action left, or a later one",
    promise: "P9",
    meaning: `Two actions on one run were carried out at the same time. ${REPORT}.`,
    sql: `
      select run_id, id, revision, earlier from (
        select run_id, id, (before ->> 'revision')::bigint as revision,
          lag((after ->> 'revision')::bigint) over (partition by run_id, schedule order by id) as earlier
        from handrail.audit where result = 'done' and (run_id is not null or schedule is not null)) act
      where revision < earlier`,
  },
  {
    name: "The audit log's chain ends at its recorded end, and its last thousand rows have no gap",
    promise: "P9",
    meaning:
      "Rows of the audit log were removed or added outside Handrail. `npm run audit -- verify` names the first one; docs/audit.md says what to do.",
    sql: `
      select chain.seq as chain_ends_at, last.seq as last_row from handrail.audit_chain as chain
        left join (select seq, hash from handrail.audit where seq is not null order by seq desc limit 1) as last on true
      where chain.seq <> coalesce(last.seq, 0) or chain.hash <> coalesce(last.hash, chain.genesis)
      union all
      select seq, earlier from (
        select seq, lead(seq, 1, seq - 1) over (order by seq desc) as earlier from (
          select seq from handrail.audit where seq is not null order by seq desc limit 1000) as newest) as row
      where seq <> earlier + 1`,
  },
  ...ACCESS_RULES,
  ...VIEW_RULES,
];
