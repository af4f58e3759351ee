import { setTimeout as delay } from "node:timers/promises";
import { type HandrailError, isHandrailError } from "../../lib/engine/errors";
import { prepareEvent } from "../../lib/engine/events/prepare-event";
import { hasEnded, type RunStatus, type WaitKind } from "../../lib/engine/runs/run";
import { sendEvent } from "../../lib/store/events/send-event";
import { answerApproval, cancel, pause, resume } from "../../lib/testing/actions";
import { answering, rung, trialOf } from "./flows/workflows";
import type { GivenRun, Stage } from "./stage";

/** What others do to a run while the fault strikes, each by the run's own word; resolves when they have done it. */
export type Company = (scene: Stage, run: GivenRun, word: string) => Promise<unknown>;

const PATIENCE_MS = 80_000;
const AGAIN_AFTER_MS = 25;

/** Repeats the request until it is answered, as a client does. A refusal is an answer. */
export async function surely<Answer>(act: () => Promise<Answer>): Promise<Answer | HandrailError> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await delay(AGAIN_AFTER_MS)) {
    try {
      return await act();
    } catch (error) {
      if (isHandrailError(error)) return error;
      if (performance.now() > deadline) throw error;
    }
  }
}

interface Standing {
  status: RunStatus;
  waiting_kind: WaitKind | null;
  waiting_step: string | null;
}

/** Until the run is in this state, or has ended. @returns whether it reached it */
async function untilIt(scene: Stage, { id }: GivenRun, holds: (run: Standing) => boolean): Promise<boolean> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await delay(AGAIN_AFTER_MS)) {
    const rows = await surely(() =>
      scene.rows<Standing>("select status, waiting_kind, waiting_step from handrail.run where id = $1", [id]),
    );
    const run = Array.isArray(rows) ? rows[0] : undefined;
    if (run && holds(run)) return true;
    if (!run || hasEnded(run.status)) return false;
  }
  return false;
}

/** Before the run waits for it, at about that time, or when it does. */
async function atSomeMoment(scene: Stage, run: GivenRun, kind: WaitKind): Promise<void> {
  const moment = scene.random.pick(["before", "at", "after"] as const);
  if (moment === "at") await delay(scene.random.below(80));
  if (moment === "after") await untilIt(scene, run, ({ waiting_kind }) => waiting_kind === kind);
}

/** Two senders at once with one id, and one of them once more. */
async function sendTwice(scene: Stage, name: string, id: string, to: { runId: string } | { key: string }) {
  const event = await prepareEvent(name, id, { id, ...to });
  const send = () => surely(() => sendEvent(scene.db, event));
  await Promise.all([send(), send()]);
  await send();
}

/** An event of this run only. */
export const toldTo = (run: GivenRun) => `told to ${run.id}`;
const sharedWith = (run: GivenRun) => `shared by ${run.id}`;

/** Each event twice; then two users answer at one instant, one of whom is refused as too late. */
export const tellAndAnswer: Company = async (scene, run, word) => {
  await atSomeMoment(scene, run, "event");
  await Promise.all([
    sendTwice(scene, "told", toldTo(run), { runId: run.id }),
    sendTwice(scene, "shared", sharedWith(run), { key: trialOf(word) }),
  ]);
  await answerAtOnce(scene, run, "ask", ["left", "right"]);
};

async function answerAtOnce(scene: Stage, run: GivenRun, step: string, choices: [string, string]): Promise<void> {
  if (!(await untilIt(scene, run, ({ waiting_kind: kind, waiting_step: on }) => kind === "approval" && on === step)))
    return;
  const answers = await Promise.all(
    choices.map((choice, index) => {
      const desk = scene.desk(`person ${index}`, scene.word());
      return surely(() => answerApproval(desk, { runId: run.id, step, choice }));
    }),
  );
  const taken = answers.filter((answer) => !isHandrailError(answer)).length;
  scene.check(taken === 1, "P9", `${taken} of two answers to one question were taken`);
}

/** The courier sends its event twice, the refund is approved by two users at once. */
export const approveAndReturn: Company = async (scene, run) => {
  const { parcelId } = run.input as { parcelId: string };
  await atSomeMoment(scene, run, "approval");
  const sent = sendParcel(scene, parcelId);
  await answerAtOnce(scene, run, "approve-refund", ["approve", "approve"]);
  await sent;
};

async function sendParcel(scene: Stage, parcelId: string): Promise<void> {
  const event = await prepareEvent("parcel.returned", { parcelId, damaged: false }, { key: parcelId, id: parcelId });
  await Promise.all([1, 2].map(() => surely(() => sendEvent(scene.db, event))));
}

/** Two clients send the event that starts such a run, once a worker has registered it. */
export const ringTwice: Company = async (scene, _, word) => {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await delay(AGAIN_AFTER_MS)) {
    const known = await surely(() => scene.rows("select from handrail.subscription where event = $1", [rung.name]));
    if (Array.isArray(known) && known.length > 0) break;
  }
  const input = { word: `${word}-rung` };
  const event = await prepareEvent(rung, input, { id: word, key: word });
  await Promise.all([1, 2].map(() => surely(() => sendEvent(scene.db, event))));
  const begun = await surely(() =>
    scene.rows<{ id: string }>("select run_id as id from handrail.run_tag where name = 'eventKey' and value = $1", [
      word,
    ]),
  );
  const runs = Array.isArray(begun) ? begun : [];
  scene.check(runs.length === 1, "P8", `an event that was sent twice began ${runs.length} runs`);
  for (const { id } of runs) scene.note({ id, workflow: answering.name, input, mayBe: ["completed"] });
};

/** Before a worker has it, during its first bodies, or when its children sleep. */
export const abandonIt: Company = async (scene, run) => {
  const moment = scene.random.pick(["before", "at", "after"] as const);
  // Counted from its first claim: a worker in another process takes longer to come up than a run to its children.
  if (moment !== "before") await untilIt(scene, run, ({ status }) => status !== "pending");
  if (moment === "after") await untilIt(scene, run, ({ waiting_kind }) => waiting_kind === "child");
  await delay(scene.random.below(150));
  const desk = scene.desk("operator", scene.word());
  await surely(() => cancel(desk, { runId: run.id, reason: "Nobody needs it." }));
};

/** Paused wherever it is; let go on when it has stood still for a while. */
export const interruptIt: Company = async (scene, run) => {
  await delay(scene.random.below(150));
  const act = { runId: run.id, reason: "Wait." };
  const [one, other] = [scene.desk("operator", scene.word()), scene.desk("operator", scene.word())];
  await surely(() => pause(one, act));
  if (!(await untilIt(scene, run, ({ status }) => status === "paused"))) return;
  await delay(60);
  await surely(() => resume(other, act));
};
