-- handrail: online
-- The team's own page on what to do, in each message: an address, in which {event} and {workflow} are replaced.
alter table handrail.destination add column runbook text;
