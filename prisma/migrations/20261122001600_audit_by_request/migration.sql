-- handrail: online
-- A key is its sender's own and its action's: rows of others may have the same. What keeps one request from acting twice is handrail.request.
create index concurrently "audit_request_key" on "handrail"."audit" ("request_key") where "request_key" is not null;
