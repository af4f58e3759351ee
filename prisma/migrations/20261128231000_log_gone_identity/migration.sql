-- handrail: online
-- The one table without a key: a publication of all tables refused the fold's deletes from it, and with them the search of log lines.
alter table handrail.log_gone replica identity full;
