-- handrail: online
-- Who watches which problem (docs/console/problems.md): gone with the problem, and with the person or the token.
create table handrail.problem_watch (
  problem_id uuid not null,
  -- `person:…` or `token:…` with its id; `anybody` where nobody signs in.
  owner_id text not null,
  person_id uuid generated always as (case when owner_id like 'person:%' then substr(owner_id, 8)::uuid end) stored,
  token_id uuid generated always as (case when owner_id like 'token:%' then substr(owner_id, 7)::uuid end) stored,
  name text not null,
  -- The last entry of the problem's history that the watcher has seen. Entries of a problem are written under its lock, so that none
  -- with a lower id comes later.
  seen bigint not null,
  since timestamptz(6) not null default clock_timestamp(),
  constraint problem_watch_pkey primary key (problem_id, owner_id),
  constraint problem_watch_problem foreign key (problem_id) references handrail.problem (id) on delete cascade,
  constraint problem_watch_person foreign key (person_id) references handrail.person (id) on delete cascade,
  constraint problem_watch_token foreign key (token_id) references handrail.token (id) on delete cascade
);
create index problem_watch_of_owner on handrail.problem_watch (owner_id, problem_id);
create index problem_watch_of_person on handrail.problem_watch (person_id) where person_id is not null;
create index problem_watch_of_token on handrail.problem_watch (token_id) where token_id is not null;

-- The end of a probe is part of the problem's history.
alter table handrail.problem_history
  drop constraint problem_history_what,
  add constraint problem_history_what check (what in ('note', 'assign', 'mute', 'resolve', 'reopen', 'came_back', 'mute_ended',
    'probe_through', 'probe_ended'));
