-- handrail: online
-- Finds the runs of a trace, whose id a run keeps within its traceparent.
create index concurrently run_trace_id on handrail.run (substr(trace, 4, 32)) where trace is not null;
