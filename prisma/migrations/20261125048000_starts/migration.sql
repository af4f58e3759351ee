-- handrail: online
-- What a start can ask for and be refused for (docs/queues.md).
alter table handrail.run
  -- Of a workflow with `singleton`: one run of the key lives at a time. The next migration holds it.
  add column singleton_key text;

-- A run that was started where no code could compute its key (by SQL, an event or a parent) takes it when it begins. Gives the
-- run that has it; null: taken, or the claim is lost.
create function handrail.take_singleton(to_run uuid, at_epoch bigint, wanted text) returns uuid language plpgsql as $$
declare
  holder uuid;
begin
  loop
    begin
      update handrail.run set singleton_key = wanted where id = to_run and epoch = at_epoch and worker_id is not null;
      return null;
    exception when unique_violation then
      select run.id into holder from handrail.run join handrail.run as me on me.id = to_run
        where run.workflow = me.workflow and run.singleton_key = wanted and run.finished_at is null;
      -- It may have ended in between: then the key is free.
      if found then return holder; end if;
    end;
  end loop;
end $$;

-- Of a workflow with `throttle`: when the latest starts of a key were, as many as its limit. A start locks its key's row.
create table handrail.throttle (
  workflow text not null,
  key text not null,
  starts timestamptz(6)[] not null,
  -- None of its starts counts after that.
  expires_at timestamptz(6) not null,
  constraint throttle_pkey primary key (workflow, key)
);
create index throttle_expired on handrail.throttle (expires_at);
