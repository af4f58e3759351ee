-- handrail: online
-- Spans that the console has received over OTLP. They are kept with their run, and are not part of what it is executed by.
create table handrail.span (
  -- Hexadecimal, as in a traceparent.
  trace_id text not null,
  span_id text not null,
  parent_span_id text,
  -- The run that it names; null: it is of the run, or the runs, of its trace.
  run_id uuid,
  name text not null,
  kind text not null,
  service text not null,
  status text not null,
  started_at timestamptz(6) not null,
  ended_at timestamptz(6) not null,
  -- Attributes, events and the status message as JSON, sealed like a payload.
  detail text not null,
  -- Until when it waits for its run; null: the run was there.
  held_until timestamptz(6),
  constraint span_pkey primary key (trace_id, span_id),
  constraint span_kind check (kind in ('unspecified', 'internal', 'server', 'client', 'producer', 'consumer')),
  constraint span_status check (status in ('unset', 'ok', 'error')),
  constraint span_time check (ended_at >= started_at)
);
create index span_run on handrail.span (run_id) where run_id is not null;
create index span_trace on handrail.span (trace_id) where run_id is null;
create index span_held on handrail.span (held_until) where held_until is not null;
