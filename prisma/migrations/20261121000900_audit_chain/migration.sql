-- Who exactly acted, through what, and what it came to: refused attempts stand in the audit, too.
alter table "handrail"."audit"
  add column "actor_kind" text not null default 'person',
  add column "credential_id" text,
  add column "address" text,
  add column "user_agent" text,
  add column "request_id" text,
  add column "plan_id" uuid,
  add column "result" text not null default 'done',
  add column "code" text,
  add column "seq" bigint,
  add column "prev_hash" bytea,
  add column "hash" bytea,
  add column "key_id" text,
  add constraint "audit_actor_kind" check ("actor_kind" in ('person', 'token', 'system')),
  add constraint "audit_result" check ("result" in ('done', 'denied', 'failed') and ("result" = 'done') = ("code" is null));

-- Rows from before this have no place in the chain; from now on there is no row without one.
alter table "handrail"."audit"
  add constraint "audit_chained"
  check ("seq" is not null and "key_id" is not null and length("hash") = 32 and length("prev_hash") = 32) not valid;

create unique index "audit_seq" on "handrail"."audit" ("seq");
-- A request that is sent again leaves no second row.
create unique index "audit_request" on "handrail"."audit" ("request_key", "result") where "request_key" is not null;
create index "audit_actor" on "handrail"."audit" ("actor", "id");
create index "audit_act" on "handrail"."audit" ("act", "id");
create index "audit_at" on "handrail"."audit" ("at");
create index "audit_refused" on "handrail"."audit" ("id") where "result" <> 'done';
create index "audit_unchained" on "handrail"."audit" ("id") where "seq" is null;

-- Where the chain ends. Whoever writes to the audit locks this one row, last of all locks.
create table "handrail"."audit_chain" (
  "id" boolean not null default true,
  "seq" bigint not null,
  "hash" bytea not null,
  "genesis" bytea not null,
  constraint "audit_chain_pkey" primary key ("id"),
  constraint "audit_chain_one" check ("id"),
  constraint "audit_chain_hash" check (length("hash") = 32 and length("genesis") = 32)
);

-- What the chain begins with: a digest of the rows from before it, so that they cannot be changed unseen from now on either.
create function "handrail"."audit_genesis"() returns bytea language sql stable as $$
  select sha256(convert_to(coalesce(string_agg(encode(sha256(convert_to(concat_ws(E'\n',
      "id"::text, extract(epoch from "at")::text, "actor", "act", coalesce("run_id"::text, ''), coalesce("step", ''),
      coalesce("schedule", ''), coalesce("workflow", ''), "reason", "before"::text, "after"::text,
      coalesce("request_key", '')), 'utf8')), 'hex'), '' order by "id"), ''), 'utf8'))
  from "handrail"."audit" where "seq" is null
$$;
insert into "handrail"."audit_chain" ("seq", "hash", "genesis")
  select 0, genesis, genesis from "handrail"."audit_genesis"() as genesis;

create function "handrail"."audit_is_append_only"() returns trigger language plpgsql as $$
begin
  raise exception 'handrail.% is append-only: % is refused', tg_table_name, lower(tg_op)
    using errcode = '42501', hint = 'An audit that can be changed proves nothing. See docs/audit.md.';
end
$$;
create trigger "audit_no_change" before update or delete on "handrail"."audit"
  for each row execute function "handrail"."audit_is_append_only"();
create trigger "audit_no_truncate" before truncate on "handrail"."audit"
  for each statement execute function "handrail"."audit_is_append_only"();
create trigger "audit_chain_no_delete" before delete on "handrail"."audit_chain"
  for each row execute function "handrail"."audit_is_append_only"();
create trigger "audit_chain_no_truncate" before truncate on "handrail"."audit_chain"
  for each statement execute function "handrail"."audit_is_append_only"();
-- Also for a session that says it is a replica.
alter table "handrail"."audit" enable always trigger "audit_no_change";
alter table "handrail"."audit" enable always trigger "audit_no_truncate";
alter table "handrail"."audit_chain" enable always trigger "audit_chain_no_delete";
alter table "handrail"."audit_chain" enable always trigger "audit_chain_no_truncate";
