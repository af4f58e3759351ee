import type { Pool } from "pg";

/*
 * Triggers that write down forbidden changes of rows, and let them happen: a trigger that raised an error would change
 * what is tested. Ended runs and recorded outcomes change only together with a new epoch, as operators' actions make
 * them.
 */
const WITNESS = `
  create schema witness;
  create table witness.seen (promise text, what text, before jsonb, after jsonb);

  -- A payload that is sealed anew says the same: whether it does, a test of rotation has to look. Nothing else of its row changes.
  create function witness.sealed_anew(old jsonb, new jsonb) returns boolean language sql as $$
    select starts_with(new ->> 'output', '{"$type":"sealed"') and old - 'output' = new - 'output'
  $$;

  -- An operator's erasure: markers in the place of texts, and nothing else.
  create function witness.erased(old jsonb, new jsonb) returns boolean language sql as $$
    select old - texts = new - texts and not exists (select from jsonb_each_text(new) as now (name, value)
      where name = any (texts) and value is not null and value not like '{"$type":"erased"}' and value <> 'Erased.'
        and value not like '{"name":"Erased",%')
    from (select array['output', 'error', 'doubt', 'reference', 'instructions', 'note', 'evidence'] as texts) as these
  $$;

  create function witness.run() returns trigger language plpgsql as $$
  begin
    if new.epoch < old.epoch then
      insert into witness.seen values ('P5', 'an epoch went back', to_jsonb(old), to_jsonb(new));
    end if;
    if new.epoch = old.epoch and old.status in ('completed', 'failed', 'cancelled', 'compensated')
      and (new.status, new.output, new.error) is distinct from (old.status, old.output, old.error)
      and witness.sealed_anew(to_jsonb(old), to_jsonb(new)) is not true then
      insert into witness.seen values ('P6', 'an ended run changed under its epoch', to_jsonb(old), to_jsonb(new));
    end if;
    if new.worker_id is not null and new.epoch = old.epoch and new.worker_id is distinct from old.worker_id then
      insert into witness.seen values ('P5', 'a run got an owner without a new epoch', to_jsonb(old), to_jsonb(new));
    end if;
    if new.worker_id is not null and old.worker_id is null and old.due_at > clock_timestamp() then
      insert into witness.seen values ('P7', 'a run was taken up before it was due', to_jsonb(old), to_jsonb(new));
    end if;
    return null;
  end $$;
  create trigger witness after update on handrail.run for each row execute function witness.run();

  create function witness.step() returns trigger language plpgsql as $$
  begin
    if old.status in ('completed', 'failed', 'skipped')
      and (new.status, new.output, new.error, new.attempt) is distinct from (old.status, old.output, old.error, old.attempt)
      and witness.sealed_anew(to_jsonb(old), to_jsonb(new)) is not true
      and not witness.erased(to_jsonb(old), to_jsonb(new)) then
      insert into witness.seen values ('P3', 'a kept outcome changed', to_jsonb(old), to_jsonb(new));
    end if;
    if new.attempt < old.attempt then
      insert into witness.seen values ('P3', 'attempts went back', to_jsonb(old), to_jsonb(new));
    end if;
    if old.kind = 'sleep' and old.status = 'waiting' and new.status = 'completed' and old.next_attempt_at > clock_timestamp() then
      insert into witness.seen values ('P7', 'a sleep ended early', to_jsonb(old), to_jsonb(new));
    end if;
    return null;
  end $$;
  create trigger witness after update on handrail.step for each row execute function witness.step();

  create function witness.owner() returns trigger language plpgsql as $$
  declare owner bigint;
  begin
    select worker_id into owner from handrail.run where id = new.run_id;
    if owner is distinct from new.worker_id then
      insert into witness.seen values ('P5', 'a worker wrote to a run that it does not own', null, to_jsonb(new));
    end if;
    return null;
  end $$;
  create trigger witness_begun after insert on handrail.step for each row
    when (new.worker_id is not null and new.status <> 'unknown') execute function witness.owner();
  create trigger witness_recorded after update on handrail.step for each row
    when (new.worker_id is not null and old.status in ('running', 'waiting') and new.status in ('running', 'completed', 'failed'))
    execute function witness.owner();

  create function witness.undo() returns trigger language plpgsql as $$
  begin
    if old.status in ('completed', 'waived') and not witness.erased(to_jsonb(old), to_jsonb(new)) then
      insert into witness.seen values ('P10', 'the outcome of an undo changed', to_jsonb(old), to_jsonb(new));
    end if;
    return null;
  end $$;
  create trigger witness after update on handrail.compensation for each row execute function witness.undo();`;

/** Before the first run, once per database. */
export async function callWitness(pool: Pool): Promise<void> {
  await pool.query(WITNESS);
}

/** The violations that the witness has recorded. */
export interface Seen {
  promise: string;
  what: string;
  before: unknown;
  after: unknown;
}

export async function whatWasSeen(pool: Pool): Promise<Seen[]> {
  const { rows } = await pool.query<Seen>("select * from witness.seen limit 20");
  return rows;
}
