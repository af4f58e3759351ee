-- handrail: online
create unique index concurrently log_by_id on handrail.log (id);
