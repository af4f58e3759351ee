-- handrail: online
-- What `handrail verify --publish` found of a version, often before a worker has registered it: no foreign key.
create table handrail.verification (
  workflow text not null,
  version integer not null,
  verified_at timestamptz(6) not null default clock_timestamp(),
  commit text,
  published_by text not null,
  trials integer not null,
  passed integer not null,
  -- In the order in which the run without faults reached them.
  steps jsonb not null,
  findings jsonb not null,
  -- Steps whose lost outcome a person resolves, as declared.
  asked jsonb not null,
  constraint verification_pkey primary key (workflow, version),
  constraint verification_passed check (passed between 0 and trials)
);
