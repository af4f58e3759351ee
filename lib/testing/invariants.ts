import type { Pool } from "pg";
import { expect } from "vitest";

/*
 * What must hold of every database at every time that nobody is in the middle of a statement. Each query gives the rows
 * that break a rule, so none is the only right answer. The witness (below) sees what a look at the end cannot: changes.
 */
const RULES: Record<string, string> = {
  "An ended run has no owner, no timer, no wait and no request to cancel it": `
    select id, status from handrail.run where status in ('completed', 'failed', 'cancelled', 'compensated')
      and (worker_id is not null or due_at is not null or waiting_kind is not null or cancel_requested_at is not null)`,
  "A step that runs belongs to a run that somebody works on, or will take up": `
    select run.id, run.status, step.name from handrail.step join handrail.run on run.id = step.run_id
    where step.status = 'running' and step.superseded_by is null
      and run.status in ('completed', 'failed', 'cancelled', 'compensated', 'compensating')`,
  "A compensation that runs belongs to a compensating run": `
    select run.id, run.status, compensation.step from handrail.compensation
    join handrail.run on run.id = compensation.run_id
    where compensation.status = 'running' and run.status <> 'compensating'`,
  "A run that is worked on has a worker that has not gone": `
    select run.id, run.status from handrail.run left join handrail.worker on worker.id = run.worker_id
    where run.worker_id is not null and (worker.id is null or worker.stopped_at is not null)`,
  "A run that is not at its end has somebody or something to go on": `
    select id, status, waiting_kind from handrail.run
    where (status = 'waiting' and due_at is null and waiting_kind in ('timer', 'retry'))
      or (status = 'compensating' and worker_id is null and due_at is null
        and (waiting_kind is distinct from 'operator' or attention is null))`,
  "A run that waits for a person because of an unknown outcome has a step with one": `
    select id from handrail.run where status = 'waiting' and waiting_kind = 'operator' and not exists (
      select from handrail.step where run_id = run.id and superseded_by is null and status = 'unknown')`,
  "A run at rest with a step in doubt asks for a person": `
    select run.id, run.status, step.name from handrail.step join handrail.run on run.id = step.run_id
    where step.status = 'unknown' and step.superseded_by is null
      and run.status in ('waiting', 'completed', 'failed', 'cancelled') and run.attention is distinct from 'outcome_unknown'`,
  "A waiting run wakes when the first of its waiting steps is due": `
    select run.id, run.due_at, min(step.next_attempt_at) from handrail.run join handrail.step on step.run_id = run.id
    where run.status = 'waiting' and step.status = 'waiting' and step.superseded_by is null
    group by run.id having run.due_at is null or run.due_at > min(step.next_attempt_at)`,
  "A step has one row that stands": `
    select run_id, name from handrail.step where superseded_by is null group by run_id, name having count(*) > 1`,
  "No two steps that stand ended at the same position": `
    select run_id, finished_position from handrail.step where superseded_by is null and finished_position is not null
    group by run_id, finished_position having count(*) > 1`,
  "A completed step has its output, a failed one its error": `
    select run_id, name from handrail.step
    where (status in ('completed', 'skipped') and output is null) or (status = 'failed' and error is null)`,
  "Attempts are numbered from 1 on without a hole, up to the step's own": `
    select step.run_id, step.name, step.attempt, array_agg(attempt.number order by attempt.number)
    from handrail.step left join handrail.attempt on attempt.run_id = step.run_id and attempt.step = step.name
      and attempt.generation = step.generation
    group by step.run_id, step.name, step.generation
    having count(attempt.number) filter (where attempt.number < step.attempt) <> greatest(step.attempt - 1, 0)
      or max(attempt.number) > step.attempt`,
  "A step that waits for its next attempt has the last one on record": `
    select step.run_id, step.name from handrail.step
    where step.status = 'waiting' and step.kind <> 'sleep' and step.attempt > 0 and not exists (
      select from handrail.attempt where attempt.run_id = step.run_id and attempt.step = step.name
        and attempt.generation = step.generation and attempt.number = step.attempt)`,
  "An undo begins only after the undo of whatever completed later has ended": `
    select earlier.run_id, earlier.step, later.step from handrail.compensation earlier
    join handrail.compensation later on later.run_id = earlier.run_id and later.position > earlier.position
    where earlier.started_at is not null
      and (later.status in ('owed', 'running', 'failed') or later.finished_at > earlier.started_at)`,
  "A compensated run owes nothing": `
    select run.id from handrail.run join handrail.compensation on compensation.run_id = run.id
    where run.status in ('compensated', 'completed') and compensation.status not in ('completed', 'waived')`,
  "Everything belongs to a run": `
    select run_id from (select run_id from handrail.step union all select run_id from handrail.attempt
      union all select run_id from handrail.compensation union all select run_id from handrail.lost_claim) part
    where not exists (select from handrail.run where id = part.run_id)`,
  "A lost claim is older than the run's epoch": `
    select run.id from handrail.lost_claim join handrail.run on run.id = lost_claim.run_id
    where lost_claim.epoch >= run.epoch`,
  "The witness saw nothing that is not allowed": `select * from witness.seen`,
};

/** Fails with every rule that is broken and the rows that break it. */
export async function expectInvariants(pool: Pool): Promise<void> {
  const broken: Record<string, unknown[]> = {};
  for (const [rule, text] of Object.entries(RULES)) {
    const { rows } = await pool.query(text);
    if (rows.length > 0) broken[rule] = rows.slice(0, 5);
  }
  expect(broken).toEqual({});
}

/*
 * Triggers that write down forbidden changes of rows, and let them happen: a trigger that raised an error would change what
 * is tested. Ended runs and kept outcomes change only together with a new epoch, as operators' acts make them.
 */
const WITNESS = `
  create schema witness;
  create table witness.seen (what text, before jsonb, after jsonb);

  create function witness.run() returns trigger language plpgsql as $$
  begin
    if new.epoch < old.epoch then
      insert into witness.seen values ('an epoch went back', to_jsonb(old), to_jsonb(new));
    end if;
    if new.epoch = old.epoch and old.status in ('completed', 'failed', 'cancelled', 'compensated')
      and (new.status, new.output, new.error) is distinct from (old.status, old.output, old.error) then
      insert into witness.seen values ('an ended run changed under its epoch', to_jsonb(old), to_jsonb(new));
    end if;
    if new.worker_id is not null and new.epoch = old.epoch and new.worker_id is distinct from old.worker_id then
      insert into witness.seen values ('a run got an owner without a new epoch', to_jsonb(old), to_jsonb(new));
    end if;
    return null;
  end $$;
  create trigger witness after update on handrail.run for each row execute function witness.run();

  create function witness.step() returns trigger language plpgsql as $$
  begin
    if old.status in ('completed', 'failed', 'skipped')
      and (new.status, new.output, new.error, new.attempt) is distinct from (old.status, old.output, old.error, old.attempt) then
      insert into witness.seen values ('a kept outcome changed', to_jsonb(old), to_jsonb(new));
    end if;
    if new.attempt < old.attempt then
      insert into witness.seen values ('attempts went back', to_jsonb(old), to_jsonb(new));
    end if;
    return null;
  end $$;
  create trigger witness after update on handrail.step for each row execute function witness.step();

  create function witness.undo() returns trigger language plpgsql as $$
  begin
    if old.status in ('completed', 'waived') then
      insert into witness.seen values ('the outcome of an undo changed', to_jsonb(old), to_jsonb(new));
    end if;
    return null;
  end $$;
  create trigger witness after update on handrail.compensation for each row execute function witness.undo();`;

/** Before the first run, once per database. */
export async function callWitness(pool: Pool): Promise<void> {
  await pool.query(WITNESS);
}
