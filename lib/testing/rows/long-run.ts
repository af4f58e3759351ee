import { v7 as uuidv7 } from "uuid";
import type { Db, Statement } from "../../store/db";

interface LongRun {
  /** Records of steps in all generations. */
  steps: number;
  generations: number;
}

/** Records of a rerun's generation, the last of which failed again. */
const RERUN_STEPS = 20;
const HOUR_S = 3_600;

const insertRun: Statement = {
  name: "",
  text: `
    insert into handrail.run (id, workflow, version, status, attention, failed_step, input, error, epoch, generation, tags,
      created_at, started_at, finished_at)
    values ($1::uuid, 'campaign-launch', 1, 'failed', 'failed', $2, '{"campaignId":"autumn"}',
      '{"name":"MailboxFull","message":"452 4.2.2 the mailbox is full"}', 1, $3::int, '{"campaign":"autumn"}',
      $4::timestamptz, $4::timestamptz, $5::timestamptz)`,
};

/*
 * The first generation: a loop of mails with a retried one every 50, a sleep of three hours in the middle, steps of
 * other kinds between. A second each; the last one failed, and was superseded by the rerun that opened the second
 * generation.
 */
const insertFirst: Statement = {
  name: "",
  text: `
    insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt, failures,
      max_attempts, key_generation, output, error, reference, started_at, finished_at, superseded_by, next_key_generation)
    select $1::uuid,
      case when n = $2 then 'send-report' when n = $2 / 2 then 'wait-for-morning'
        when n % 10 = 0 then 'render-page-' || n / 10 else 'send-mail-' || n end,
      1, case when n = $2 / 2 then 'sleep' else 'step' end, case when n % 10 = 0 then 'pure' else 'idempotent' end,
      case when n = $2 then 'failed' else 'completed' end, n, n, case when n % 50 = 0 then 3 else 1 end,
      case when n % 50 = 0 then 2 else 0 end, 4, 1, case when n < $2 then '{"sent":' || n || '}' end,
      case when n = $2 then '{"name":"MailboxFull","message":"452 4.2.2 the mailbox is full"}' end,
      case when n < $2 and n % 10 > 0 then 'mail_' || n end,
      $4::timestamptz + (n - 1 + case when n > $2 / 2 then 10800 else 0 end) * interval '1 s',
      $4::timestamptz + (n - 0.2 + case when n >= $2 / 2 then 10800 else 0 end) * interval '1 s',
      case when n = $2 and $3::int > 1 then 2 end, case when n = $2 and $3::int > 1 then 1 end
    from generate_series(1, $2::int) as n`,
};

const insertAttempts: Statement = {
  name: "",
  text: `
    insert into handrail.attempt (run_id, step, generation, number, status, error, started_at, finished_at)
    select run_id, name, generation, number, 'failed',
      '{"name":"Timeout","message":"the mail server did not answer within 100 ms","code":"ETIMEDOUT"}',
      step.started_at - (3 - number) * interval '0.3 s', step.started_at - (2.7 - number) * interval '0.3 s'
    from handrail.step, generate_series(1, 2) as number
    where run_id = $1::uuid and failures = 2`,
};

/** A rerun an hour later: its steps, of which the last fails again. */
const insertReruns: Statement = {
  name: "",
  text: `
    insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt, failures,
      max_attempts, key_generation, output, error, started_at, finished_at, superseded_by, next_key_generation)
    select $1::uuid, case when n = ${RERUN_STEPS} then 'send-report' else 'check-' || g || '-' || n end, g, 'step', 'pure',
      case when n = ${RERUN_STEPS} then 'failed' else 'completed' end, $2::int + g * ${RERUN_STEPS} + n,
      $2::int + g * ${RERUN_STEPS} + n, 1, 0, 1, 1, case when n < ${RERUN_STEPS} then 'true' end,
      case when n = ${RERUN_STEPS} then '{"name":"MailboxFull","message":"452 4.2.2 the mailbox is full"}' end,
      $4::timestamptz + g * interval '1 h' + n * interval '0.5 s',
      $4::timestamptz + g * interval '1 h' + n * interval '0.5 s' + interval '0.4 s',
      case when n = ${RERUN_STEPS} and g < $3::int then g + 1 end, case when n = ${RERUN_STEPS} and g < $3::int then 1 end
    from generate_series(2, $3::int) as g, generate_series(1, ${RERUN_STEPS}) as n`,
};

/** Outside of the chain: such a database is for viewing, not for checking. */
const insertAudit: Statement = {
  name: "",
  text: `
    insert into handrail.audit (seq, prev_hash, hash, key_id, at, actor, act, run_id, reason, before, after)
    select (select least(min(seq), 0) from handrail.audit) - g, sha256('none'), sha256('none'), 'none', $3::timestamptz + g * interval '1 h', 'mia', 'rerun', $1::uuid, 'The mailbox was emptied, try ' || g,
      jsonb_build_object('generation', g - 1), jsonb_build_object('generation', g)
    from generate_series(2, $2::int) as g`,
};

/** A campaign of many mails, rerun many times, written as rows in a second. Returns the run's id. */
export async function aLongRun(db: Db, { steps, generations }: LongRun): Promise<string> {
  const id = uuidv7();
  const first = steps - (generations - 1) * RERUN_STEPS;
  // The sleep of three hours is within the first generation's time.
  const began = new Date(Date.now() - (first + 4 * HOUR_S + generations * HOUR_S) * 1_000);
  const rerunsFrom = new Date(began.getTime() + (first + 3 * HOUR_S) * 1_000);
  const ended = new Date(rerunsFrom.getTime() + generations * HOUR_S * 1_000 + RERUN_STEPS * 500);
  await db.transaction(async (tx) => {
    await tx.query(insertRun, [id, "send-report", generations, began, ended]);
    await tx.query(insertFirst, [id, first, generations, began]);
    await tx.query(insertAttempts, [id]);
    if (generations < 2) return;
    await tx.query(insertReruns, [id, first, generations, rerunsFrom]);
    await tx.query(insertAudit, [id, generations, rerunsFrom]);
  });
  return id;
}
