import { v7 as uuidv7 } from "uuid";
import type { Debounce, RunToStart } from "../../engine/runs/start";
import type { Db, Statement } from "../db";
import { payloadKeys, sealed } from "../payloads";
import { storedTags } from "../tag-values";
import type { Starter } from "./starter";
import { storedHeaders } from "./stored-headers";

/*
 * Guarantee: of any number of starts with one key, those before the run is claimed become one run with the last one's
 * input. Races with: the same statement in other sessions (the second waits for the first one's transaction, and
 * replaces its values), a claim (the second sees the first: a claimed run has an epoch and is no longer in the index
 * `run_debounce`, so another run begins; a postponed run is no longer due, so the claim skips it). The bound is counted
 * from the first start, so that an endless burst cannot delay its run forever.
 */
const debounceStatement: Statement = {
  name: "start-debounced",
  text: `
    insert into handrail.run as run (id, workflow, version, input, tags, priority, queue_key, debounce_key, run_title, due_at, trace,
      chosen_version, headers)
    values ($1::uuid, $2, $3::int, $4, nullif($5::jsonb, '{}'), $6::int, $7, $8, $9,
      clock_timestamp() + $10::float8 * interval '1 ms', $12, $13::int, $14::jsonb)
    on conflict (workflow, debounce_key) where debounce_key is not null and epoch = 0 do update set
      version = excluded.version, chosen_version = excluded.chosen_version, input = excluded.input, tags = excluded.tags, priority = excluded.priority,
      queue_key = excluded.queue_key, run_title = excluded.run_title, trace = excluded.trace, headers = excluded.headers,
      revision = run.revision + 1,
      due_at = least(excluded.due_at, run.created_at + $11::float8 * interval '1 ms')
    returning run.id::text`,
};

/*
 * The run's tags become those of its last start. Separate from the statement that locked the run's row: that one may
 * have waited for another start, and does not see the tags which that one wrote.
 */
const tagStatement: Statement = {
  name: "tag-debounced",
  text: `
    with left_behind as (
      delete from handrail.run_tag using handrail.run
      where run.id = $1::uuid and run_tag.run_id = run.id and run.tags ->> run_tag.name is distinct from run_tag.value
    )
    insert into handrail.run_tag (name, value, run_id)
    select tag.key, tag.value, run.id from handrail.run, jsonb_each_text(run.tags) as tag where run.id = $1::uuid
    on conflict do nothing`,
};

/*
 * A sealed input opens only in the run for which it was sealed: the run of the new input is known only now. The
 * transaction holds it.
 */
const resealStatement: Statement = {
  name: "reseal-debounced",
  text: `update handrail.run set input = $2 where id = $1::uuid`,
};

/**
 * The key as stored. Joining a run reveals that it exists, so a caller without access to it gets a separate key space:
 * they can neither find out whether a key is waiting nor replace the input of another's run.
 */
export async function keptKey(db: Db, { workflow }: RunToStart, key: string, starter?: Starter): Promise<string> {
  const shared = !starter || (await starter.joinsOthers(db, workflow));
  return shared ? key : JSON.stringify([key, starter.owner]);
}

/**
 * Begins a run, or postpones the waiting one of the same key and gives it this input; its id stays.
 * @param starter the caller; without one, code of this installation
 */
export async function insertDebounced(db: Db, run: RunToStart, debounce: Required<Debounce>, starter?: Starter) {
  const { key, delayMs, maxMs } = debounce;
  const id = uuidv7();
  return db.transaction(async (tx) => {
    const [started] = await tx.query<{ id: string }>(debounceStatement, [
      ...[
        id,
        run.workflow,
        run.version,
        sealed([id, "input"], run.input),
        storedTags(run.tags),
        run.priority,
        run.queueKey,
      ],
      ...[
        await keptKey(tx, run, key, starter),
        run.runTitle,
        delayMs,
        maxMs,
        run.trace ?? null,
        run.pinned ? run.version : null,
        storedHeaders(run),
      ],
    ]);
    const found = (started as { id: string }).id;
    if (found !== id && payloadKeys()) await tx.query(resealStatement, [found, sealed([found, "input"], run.input)]);
    await tx.query(tagStatement, [found]);
    return { id: found, created: found === id };
  });
}
