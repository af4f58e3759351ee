import { HandrailError } from "../../engine/errors";
import { ANSWER_ID, approvalEvent } from "../../engine/events/approval";
import { mayAnswer } from "../../engine/runs/operator-acts";
import { encodeValue } from "../../engine/values/codec";
import type { Db } from "../../store/db";
import { selectAnswer, selectQuestion } from "../../store/events/questions";
import { sendEvent } from "../../store/events/send-event";
import { carryOut, type Desk } from "./command";

export interface ApprovalAnswer {
  runId: string;
  step: string;
  choice: string;
  note?: string | undefined;
  revision?: number | undefined;
}

/**
 * Answers an approval of a run. The first answer counts; a later one is refused with the name of the first user.
 * @throws HandrailError `invalid_input` for an unknown choice; `not_allowed` if it was answered already
 */
export function answerApproval(desk: Desk, { runId, step, choice, note, revision }: ApprovalAnswer) {
  return carryOut(desk, {
    act: "answer",
    runId,
    step,
    reason: note ?? choice,
    asked: { choice, note: note ?? null },
    revision,
    isOpen: (run) => mayAnswer(run, step),
    change: async (tx, { steps }) => {
      const generation = steps.find(({ name }) => name === step)?.generation ?? 0;
      await checkChoice(tx, runId, step, generation, choice);
      const payload = encodeValue({ choice, note: note ?? null });
      const answer = { name: approvalEvent(step, generation), id: ANSWER_ID, runId, key: null, payload };
      const { created } = await sendEvent(tx, { ...answer, sentBy: desk.by.name });
      if (!created) throw await answeredBefore(tx, runId, answer.name);
    },
  });
}

async function checkChoice(tx: Db, runId: string, step: string, generation: number, choice: string): Promise<void> {
  const choices = (await selectQuestion(tx, runId, step, generation))?.choices ?? [];
  if (!choices.includes(choice))
    throw new HandrailError("invalid_input", `This is none of the choices: ${choices.join(", ")}.`, { choices });
}

async function answeredBefore(tx: Db, runId: string, event: string): Promise<HandrailError> {
  const answer = await selectAnswer(tx, runId, event);
  const { choice } = JSON.parse(answer?.payload ?? "{}") as { choice?: string };
  return new HandrailError("not_allowed", `${answer?.sent_by ?? "Somebody"} has answered already: ${choice}.`, {
    by: answer?.sent_by ?? null,
    choice: choice ?? null,
  });
}
