-- handrail: online
-- What "audit_request_key" has taken over, without being unique.
drop index concurrently "handrail"."audit_request";
