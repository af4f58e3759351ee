import type { Pool } from "pg";
import { ANSWER_ID, approvalEvent } from "../engine/events/approval";
import { prepareEvent } from "../engine/events/prepare-event";
import { encodeValue } from "../engine/values/codec";
import type { Db } from "../store/db";
import { sendEvent } from "../store/events/send-event";
import { inSchema } from "../store/schema";

interface Waiting {
  runId: string;
  name: string;
  kind: string;
  generation: number;
  event: string | null;
}

/** What the steps of one run and of its children get that wait for an event or a person, as the author has said. */
export class Answers {
  private readonly given = new Set<string>();

  constructor(
    private readonly database: { pool: Pool; db: Db },
    private readonly all: Readonly<Record<string, unknown>>,
  ) {}

  /** @returns whether one of them waited for one that it now has */
  async giveNext(rootId: string): Promise<boolean> {
    const { pool, db } = this.database;
    const { rows } = await pool.query<Waiting>(
      inSchema(`with recursive tree as (
         select $1::uuid as id union all select run.id from tree join handrail.run on run.parent_run_id = tree.id)
       select step.run_id::text as "runId", step.name, step.kind, step.generation, wait.event from handrail.step left join handrail.event_wait as wait
         on wait.run_id = step.run_id and wait.step = step.name and wait.generation = step.generation
       join handrail.run on run.id = step.run_id and run.finished_at is null
       where step.run_id in (select id from tree) and step.status = 'waiting' and step.kind in ('event', 'approval') and step.superseded_by is null`),
      [rootId],
    );
    const keyOf = ({ runId, name }: Waiting) => `${runId} ${name}`;
    const next = rows.find((row) => Object.hasOwn(this.all, row.name) && !this.given.has(keyOf(row)));
    if (!next) return false;
    this.given.add(keyOf(next));
    const { runId } = next;
    const answer = this.all[next.name];
    if (next.kind === "event") {
      await sendEvent(db, await prepareEvent(next.event ?? next.name, answer, { runId }));
      return true;
    }
    const payload = encodeValue({ choice: answer, note: null }, `answer to "${next.name}"`);
    const name = approvalEvent(next.name, next.generation);
    await sendEvent(db, { name, id: ANSWER_ID, runId, key: null, payload, sentBy: "verify" });
    return true;
  }
}
