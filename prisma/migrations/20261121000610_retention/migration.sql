-- How long ended runs of a workflow are kept, by outcome: { "completedMs": …, "failedMs": … }. Absent: for ever.
alter table "handrail"."workflow" add column "retention" jsonb;

-- Times that came to nothing are kept for a while only.
create index "firing_unstarted" on "handrail"."firing" ("fired_at") where "run_id" is null;
