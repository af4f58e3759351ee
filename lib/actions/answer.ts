import { HandrailError } from "../engine/errors";
import { ANSWER_ID, approvalEvent } from "../engine/events/approval";
import { closed, listens, type Openness, open, type RunFacts, stepNamed } from "../engine/runs/operator-acts";
import type { Db } from "../store/db";
import type { Action, Fields, ParamsOf, Tools, Words } from "./action";

const params = ({ z, plainText, stepName }: Fields) => ({
  step: stepName,
  choice: plainText.min(1).max(60),
  note: plainText.trim().min(1).max(4_000).optional(),
  /** Of the question that you saw: refused (409 changed) when a rerun has asked anew. Default: the one that is open. */
  generation: z.int().min(1).max(2_147_483_647).optional(),
});
type Params = ParamsOf<typeof params>;

/** Answer the run's question. The first answer counts. */
export function mayAnswer(run: RunFacts, stepName: string): Openness {
  const step = stepNamed(run, stepName);
  if (step?.kind !== "approval") return closed("The run has no question of this name.");
  if (step.status !== "waiting") return closed("The question was already answered, or has expired.");
  return listens(run) ? open : closed(`The run has ended (${run.status}): the question is closed.`);
}

export const asking = (run: RunFacts) =>
  run.steps.find(({ kind, status }) => kind === "approval" && status === "waiting");

export const answerWords = {
  icon: "answer",
  button: () => "Answer…",
  does: "Answers the question of the run, which then continues.",
  did: "answered",
  tried: "answer",
  name: "Answer",
} satisfies Words;

/** A later answer is refused with the name of the first user. `invalid_input` for an unknown choice. */
export const answer = {
  rule: (run, { step }) => mayAnswer(run, step),
  offered: (run) => {
    const question = asking(run);
    return question ? mayAnswer(run, question.name) : closed("This run has no open question.");
  },
  params,
  command: (tools, { runId, params: { step, choice, note = null, generation: seen }, by }) => ({
    step,
    details: { choice, note },
    change: async (tx, { steps }) => {
      const generation = steps.find(({ name }) => name === step)?.generation ?? 0;
      if (seen !== undefined && seen !== generation)
        throw new HandrailError(
          "changed",
          "A rerun has asked this question anew. Look at it again before you answer.",
          {
            generation,
          },
        );
      const choices = (await tools.selectQuestion(tx, runId, step, generation))?.choices ?? [];
      if (!choices.includes(choice))
        throw new HandrailError("invalid_input", `This is none of the choices: ${choices.join(", ")}.`, { choices });
      const name = approvalEvent(step, generation);
      const payload = tools.encodeValue({ choice, note });
      const { created } = await tools.sendEvent(tx, { name, id: ANSWER_ID, runId, key: null, payload, sentBy: by });
      if (!created) throw await answeredBefore(tools, tx, runId, name);
    },
  }),
} satisfies Action<Params>;

async function answeredBefore(tools: Tools, tx: Db, runId: string, event: string): Promise<HandrailError> {
  const first = await tools.selectAnswer(tx, runId, event);
  const { choice } = JSON.parse(first?.payload ?? "{}") as { choice?: string };
  return new HandrailError("not_allowed", `${first?.sent_by ?? "Someone"} has already answered: ${choice}.`, {
    by: first?.sent_by ?? null,
    choice: choice ?? null,
  });
}
