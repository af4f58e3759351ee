-- The list of applied migrations as 6d49356 left it: of the baseline and one migration, beside the schema handrail.
create table public._prisma_migrations (
  id                  varchar(36)  primary key not null,
  checksum            varchar(64)  not null,
  finished_at         timestamptz,
  migration_name      varchar(255) not null,
  logs                text,
  rolled_back_at      timestamptz,
  started_at          timestamptz  not null default now(),
  applied_steps_count integer      not null default 0
);
insert into public._prisma_migrations values ('87e43937-9577-47c6-b817-cf45e51f1967', 'ed989ee594cd5b9e03eb3edd621731fa2e2ae478bd499be1d1acbb976a8be35f', '2026-11-23 05:48:59.230294+00', '20261122000000_baseline', NULL, NULL, '2026-11-23 05:48:58.620523+00', 1);
insert into public._prisma_migrations values ('cd4836d6-17d2-4953-af89-cba576a1dc10', '19de58d838c972263e83617e1ba5d1527baafef7fcb1c887e5dd30bc5b838936', '2026-11-23 05:48:59.256251+00', '20261123030000_snooze', NULL, NULL, '2026-11-23 05:48:59.240145+00', 1);

delete from handrail.migration;
alter table handrail.migration drop column checksum, drop column version;
comment on table handrail.migration is null;
insert into handrail.migration (name, online, applied_at) values ('20261122000000_baseline', 'f', '2026-11-23 05:48:59.23133+00');
insert into handrail.migration (name, online, applied_at) values ('20261123030000_snooze', 't', '2026-11-23 05:48:59.257225+00');

-- What later migrations make is not there yet.
drop trigger log_gone on handrail.log;
drop function handrail.note_gone_lines();
drop table handrail.log_block;
drop table handrail.log_gone;
drop table handrail.log_fold;
drop index handrail.log_by_id;
alter table handrail.log drop column level, drop column trace_id;
drop table handrail.throttle;
drop function handrail.call_for_permits(text[], text[]);
drop function handrail.take_permits(uuid, text, integer, integer, bigint, text[], text[], integer[], integer[], float8[]);
drop function handrail.permit_due_at(handrail.step_limit, integer, bigint);
drop function handrail.call_waiters(text, text, integer);
drop function handrail.free_permits(text, text);
drop function handrail.starts_within(handrail.step_limit);
drop function handrail.permit_wait_counts(handrail.permit_wait);
drop function handrail.permit_is_held(handrail.permit);
drop table handrail.permit_wait;
drop table handrail.permit;
drop table handrail.step_limit;
alter table handrail.run
  drop constraint run_waiting_kind,
  add constraint run_waiting_kind check (waiting_kind in ('timer', 'retry', 'event', 'child', 'slot', 'approval', 'operator'));
drop function handrail.take_singleton(uuid, bigint, text);
alter table handrail.problem drop column calm_at;
alter table handrail.run drop column page_of;
drop table handrail.problem_watch;
alter table handrail.problem_history
  drop constraint problem_history_what,
  add constraint problem_history_what check (what in ('note', 'assign', 'mute', 'resolve', 'reopen', 'came_back', 'mute_ended'));
drop table handrail.probe_try;
drop table handrail.probe;
drop table handrail.alert;
drop table handrail.alert_rule;
drop table handrail.alert_turn;
alter table handrail.worker drop column app, drop column alerts, drop column build;
drop table handrail.deploy;
drop table handrail.verification;
drop table handrail.span;
alter table handrail.notice
  drop constraint notice_about,
  drop constraint notice_kind,
  drop column alert_id,
  add constraint notice_kind check (kind in ('problem.opened', 'problem.came_back', 'compensation.owed', 'compensation.failed',
    'approval.waiting', 'plan.waiting', 'operation.paused', 'destination.switched_off')),
  add constraint notice_about check (num_nonnulls(run_id, problem_id, plan_id, operation_id, destination_id) = 1);
drop table handrail.code_request;
alter table handrail.workflow drop column events;
drop table handrail.incident;
alter table handrail.delivery drop column incident;
alter table handrail.destination
  drop column runbook,
  drop constraint destination_kind,
  add constraint destination_kind check (kind in ('webhook', 'email')),
  drop constraint destination_where,
  drop column channel,
  add constraint destination_where check ((kind = 'webhook') = (url is not null) and (kind = 'webhook') = (secret is not null)
    and (kind = 'email') = (addresses is not null));
alter table handrail.run drop column singleton_key, drop column run_title, drop column trace, drop column claim_trace, drop column begin_by, drop column erased_at, drop column headers;
alter table handrail.schedule drop column at_run_time;
alter table handrail.event drop column trace;
drop function handrail.put_event(text, text, uuid, text, text, text, text, jsonb);
drop function handrail.start_run(text, jsonb, text, timestamptz, integer, jsonb, text, interval, interval, integer, jsonb);
drop function handrail.send_event(text, jsonb, text, uuid, text, text, jsonb);
drop function handrail.checked_headers(jsonb);
drop table handrail.blob_wait;
drop table handrail.placed_key;
drop table handrail.blob;
drop function handrail.hold_blob(text, uuid, text), handrail.let_blob_go(text);
drop function handrail.blob_of_input() cascade;
drop function handrail.blob_of_output() cascade;
drop function handrail.blob_of_step() cascade;
alter table handrail.event_wait drop column filter;
alter table handrail.subscription drop column filter;
drop function handrail.event_fits(text, jsonb);
drop function handrail.wake_for_event(uuid[], text, text, text);
drop function handrail.checked_traceparent(text);
