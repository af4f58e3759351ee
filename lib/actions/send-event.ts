import { closed, listens, type Openness, open, type RunFacts } from "../engine/runs/operator-acts";
import { type Action, type Fields, onRuns, type ParamsOf, type Words } from "./action";

const params = ({ plainText, json }: Fields) => ({
  name: plainText.min(1).max(200),
  payload: json,
});
type Params = ParamsOf<typeof params> & {
  /** The sender's own, for a single run: events of one name and id count once. */
  id?: string | undefined;
};

/** Send an event to the run, for a step that waits for it now or later. */
export function maySendEvent(run: RunFacts): Openness {
  return listens(run) ? open : closed(`The run no longer accepts events: it is ${run.status}.`);
}

export const sendEventWords = {
  icon: "send",
  button: () => "Send an event…",
  does: "Sends the event that a step waits for, now or later.",
  did: "sent an event to",
  tried: "send an event to",
  name: "Send an event",
  plan: {
    verb: () => "Send an event to",
    reason: "The courier confirmed it on the phone",
    note: "Sends each run the event that a step waits for, now or later.",
    happens: onRuns("get the event", "gets the event"),
  },
} satisfies Words;

/** `invalid_input` if the payload does not fit an event that its workflow declares. */
export const sendEvent = {
  rule: maySendEvent,
  params,
  plan: {
    fourEyes: { send_event: "Sending an event" },
    decided: ({ included }) => ({ included }),
    complete: async ({ prepareEvent, checkGiven }, given) => {
      await prepareEvent(given.name, checkGiven(given.payload, "payload"));
      return given;
    },
  },
  command: async (tools, { runId, params: given, code, by }) => {
    const { event, payload } = await tools.preparedEvent(given, { runId });
    return {
      details: { event: given.name, eventId: given.id ?? null },
      change: async (tx, { run }) => {
        await code.checkPayload(given.name, payload, run.workflow);
        await tools.sendEvent(tx, { ...event, sentBy: by });
      },
    };
  },
} satisfies Action<Params>;
