-- handrail: online
-- Names of the events that its code declares: a process without that code asks a worker to check their payloads.
alter table handrail.workflow add column events text[] not null default '{}';

-- What processes without a workflow's code ask of the workers that have it: to check an input and derive tags and keys from it.
-- A row lives for milliseconds, until its answer; the process that asked is the one that writes the run. Unlogged: after a crash
-- of the server nobody waits for an answer.
create unlogged table handrail.code_request (
  id uuid not null,
  workflow text not null,
  -- Only workers that have this version answer.
  version integer not null,
  request text not null,
  answer text,
  -- When a worker last took it: another takes it if that one does not answer soon.
  taken_at timestamptz(6),
  expires_at timestamptz(6) not null,
  constraint code_request_pkey primary key (id)
);
