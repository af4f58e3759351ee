-- handrail: online
-- The build that its process runs, as HANDRAIL_BUILD or the platform says; null: not given.
alter table handrail.worker add column build text;

-- When other code began to run: a person or a pipeline marked it, or a worker registered with a build or with versions of workflows
-- that were not there before.
create table handrail.deploy (
  -- One more than the latest: of two that are made at once, the second sees the first.
  id bigint not null,
  at timestamptz(6) not null default clock_timestamp(),
  version text,
  commit text,
  -- What a worker calls it.
  build text,
  -- A page about it.
  url text,
  -- Versions of workflows that came with it, such as {"order-fulfilment": [4]}.
  workflows jsonb not null default '{}',
  -- Null: only workers have said so.
  marked_by text,
  constraint deploy_pkey primary key (id),
  constraint deploy_named check (num_nonnulls(version, commit, build) > 0 or workflows <> '{}'),
  -- The console shows it as a link: nothing but http.
  constraint deploy_url check (url ~* '^https?://')
);
create index deploy_at on handrail.deploy (at desc, id desc);
