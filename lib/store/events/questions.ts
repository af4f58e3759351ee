import type { Db, Statement } from "../db";
import type { EventRow } from "../rows";

const questionStatement: Statement = {
  name: "question",
  text: `
    select choices from handrail.event_wait
    where run_id = $1::uuid and step = $2 and generation = $3::int and question is not null`,
};

/** The choices that a step of this generation offers. */
export async function selectQuestion(db: Db, runId: string, step: string, generation: number) {
  const [row] = await db.query<{ choices: string[] }>(questionStatement, [runId, step, generation]);
  return row;
}

const answerStatement: Statement = {
  name: "answer-to-question",
  text: `select payload, sent_by from handrail.event where run_id = $1::uuid and name = $2`,
};

export async function selectAnswer(db: Db, runId: string, event: string) {
  const [row] = await db.query<Pick<EventRow, "payload" | "sent_by">>(answerStatement, [runId, event]);
  return row;
}
