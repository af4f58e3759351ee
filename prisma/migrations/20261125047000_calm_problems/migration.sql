-- handrail: online
-- Since when no run has had the problem; null while one has it, and where a person reopened it. Workers resolve open problems that
-- have been calm for a while.
alter table handrail.problem add column calm_at timestamptz(6);
update handrail.problem set calm_at = clock_timestamp() where status = 'open' and open_runs = 0;
create index problem_calm on handrail.problem (calm_at) where status = 'open' and calm_at is not null;
