import { toMilliseconds } from "../../engine/duration";
import { HandrailError } from "../../engine/errors";
import { type Answer, type ApprovalOptions, approvalEvent, DEFAULT_CHOICES } from "../../engine/events/approval";
import { checkEventName, type EventDefinition, nameOf } from "../../engine/events/event";
import { planFilter } from "../../engine/events/event-filter";
import { checkEventKey, checkPayload } from "../../engine/events/prepare-event";
import { decodeValue, encodeValue } from "../../engine/values/codec";
import { isPlainText } from "../../engine/values/plain-text";
import type { AnyEventWaitOptions } from "../../engine/workflows/call-options";
import { fieldsOf } from "../../engine/workflows/payload-paths";
import type { Question, TakenEvent } from "../../store/events/take-events";

/** What a step waits for, checked and with every default filled in. */
export interface WaitPlan {
  kind: "event" | "approval";
  event: (generation: number) => string;
  key: string | null;
  /** Null: every event of the name fits. */
  filter: string | null;
  question: Question | null;
  /** Null: no longest wait. */
  timeoutMs: number | null;
  /** Whether a new generation gets the event again that an earlier one took. A question is asked again. */
  takesAgain: boolean;
  /** The step's output. @throws HandrailError `invalid_input` */
  outcome(event: TakenEvent): Promise<unknown>;
  /** The step's output on timeout. @throws HandrailError `wait_timed_out` */
  atTimeout(at: Date): unknown;
}

/** @throws HandrailError `invalid_workflow`, `invalid_request` or `invalid_value` */
export function planEventWait(name: string, options: AnyEventWaitOptions): WaitPlan {
  const { event, key, where, timeout } = options;
  const eventName = nameOf(event);
  checkEventName(eventName, "invalid_workflow");
  if (key !== undefined) checkEventKey(key);
  const definition = definitionOf(options);
  return {
    kind: "event",
    event: () => eventName,
    key: key ?? null,
    filter: where === undefined ? null : planFilter(where, `step "${name}"`, fieldsOf(definition?.payload)),
    question: null,
    timeoutMs: timeout === undefined ? null : toMilliseconds(timeout),
    takesAgain: true,
    outcome: async ({ payload }) => {
      const value = decodeValue(payload);
      return definition ? checkPayload(definition, value) : value;
    },
    atTimeout: () => {
      if (Object.hasOwn(options, "default")) return options.default;
      throw timedOut(`No event "${eventName}" arrived for step "${name}" within its timeout.`);
    },
  };
}

function definitionOf({ event, schema }: AnyEventWaitOptions): EventDefinition | undefined {
  if (typeof event !== "string") return event;
  return schema && { name: event, payload: schema };
}

const MAX_QUESTION = 2_000;
const MAX_CHOICES = 10;
const MAX_CHOICE = 60;

/** @throws HandrailError `invalid_workflow` or `invalid_value` */
export function planApproval(name: string, options: ApprovalOptions<string>): WaitPlan {
  const { question, choices = DEFAULT_CHOICES, data, timeout } = options;
  checkQuestion(name, question, choices, options.default);
  return {
    kind: "approval",
    event: (generation) => approvalEvent(name, generation),
    key: null,
    filter: null,
    question: { text: question, choices, data: encodeValue(data ?? null, `data of approval "${name}"`) },
    timeoutMs: timeout === undefined ? null : toMilliseconds(timeout),
    takesAgain: false,
    outcome: async ({ payload, sentBy, sentAt }): Promise<Answer> => {
      const { choice, note } = decodeValue(payload) as Pick<Answer, "choice" | "note">;
      return { choice, by: sentBy, note, at: sentAt };
    },
    atTimeout: (at): Answer => {
      if (options.default !== undefined) return { choice: options.default, by: null, note: null, at };
      throw timedOut(`Approval "${name}" was not answered within its timeout.`);
    },
  };
}

function checkQuestion(name: string, question: string, choices: readonly string[], otherwise?: string): void {
  const refuse = (what: string) => new HandrailError("invalid_workflow", `Approval "${name}" ${what}`);
  if (!isText(question, MAX_QUESTION)) throw refuse(`needs a question of 1 to ${MAX_QUESTION} characters.`);
  if (choices.length < 1 || choices.length > MAX_CHOICES || new Set(choices).size < choices.length)
    throw refuse(`needs 1 to ${MAX_CHOICES} choices, no two of them the same.`);
  if (!choices.every((choice) => isText(choice, MAX_CHOICE)))
    throw refuse(`needs choices of 1 to ${MAX_CHOICE} characters.`);
  if (otherwise !== undefined && !choices.includes(otherwise))
    throw refuse(`has a default, "${otherwise}", that is none of its choices.`);
}

const isText = (text: unknown, max: number) =>
  typeof text === "string" && text.length >= 1 && text.length <= max && isPlainText(text);

const timedOut = (message: string) => new HandrailError("wait_timed_out", message);
