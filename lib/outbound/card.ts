import type { Message } from "../engine/notices/delivery";
import { plainName } from "../engine/notices/notice";

type State = "open" | "acknowledged" | "resolved";

/** A message as every chat and paging service shows it: names, numbers and a link, like all that is sent. */
export interface Card {
  state: State;
  /** The state in a word, before the sentence. */
  word: string;
  sentence: string;
  /** All sentences of a combined message. */
  lines: readonly string[];
  facts: readonly { name: string; value: string }[];
  url: string;
  runbook: string | null;
  at: string;
  severity: "critical" | "warning" | "info";
  /** The kind of event. */
  type: string;
}

interface Event {
  sentence: string;
  url: string;
  workflows?: readonly string[];
  step?: string | null;
  state?: State;
  /** Of an alert. */
  severity?: "critical" | "warning";
}

interface Digest {
  events?: (Event & { type: string })[];
  more?: number;
  count?: number;
}

const WORDS: Record<State, string> = { open: "Needs attention", acknowledged: "Acknowledged", resolved: "Resolved" };
/** Events in which work is lost or at risk until a person acts. */
const CRITICAL: readonly string[] = ["problem.opened", "problem.came_back", "compensation.failed"];
const MOST_WORKFLOWS = 5;

export function cardOf({ type, timestamp, data }: Message): Card {
  const given = data as Event & Digest & { runbook?: string };
  const state = given.state ?? "open";
  const events = given.events ?? [given];
  const types = given.events?.map((event) => event.type) ?? [type];
  const isTest = types.every((one) => one === "test");
  const more = given.more ?? 0;
  return {
    state,
    word: state === "open" ? (isTest ? "Test" : type === "report" ? "Report" : WORDS.open) : WORDS[state],
    sentence: given.sentence,
    lines: [...events.map(({ sentence }) => sentence), ...(more > 0 ? [`And ${more} more, in the console`] : [])],
    facts: factsOf(given, events),
    url: given.url,
    runbook: given.runbook ?? null,
    at: timestamp,
    severity: isTest || type === "report" ? "info" : isCritical(types, events) ? "critical" : "warning",
    type,
  };
}

const isCritical = (types: readonly string[], events: readonly Event[]): boolean =>
  types.some((one) => CRITICAL.includes(one)) || events.some(({ severity }) => severity === "critical");

function factsOf({ step, count }: Event & { count?: number }, events: readonly Event[]): Card["facts"] {
  const workflows = [...new Set(events.flatMap((event) => event.workflows ?? []))];
  const shown = workflows.slice(0, MOST_WORKFLOWS).map(plainName).join(", ");
  const rest = workflows.length - MOST_WORKFLOWS;
  return [
    ...(workflows.length > 0
      ? [
          {
            name: workflows.length === 1 ? "Workflow" : "Workflows",
            value: rest > 0 ? `${shown} and ${rest} more` : shown,
          },
        ]
      : []),
    ...(step ? [{ name: "Step", value: plainName(step) }] : []),
    ...(count ? [{ name: "Events", value: String(count) }] : []),
  ];
}

/** At most so long, in UTF-16 units, as services count. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
