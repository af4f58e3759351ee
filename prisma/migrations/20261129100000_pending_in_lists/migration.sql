-- handrail: online
-- Pending runs of all workflows, in the order of lists: a list and a count read what they show, however many runs wait.
create index concurrently run_pending on handrail.run (id, workflow) where status = 'pending';
