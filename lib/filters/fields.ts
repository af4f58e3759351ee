import { readDuration } from "../engine/duration";
import { ATTENTIONS, RUN_STATUSES } from "../engine/runs/run";
import { isQuestionField, readQuestion } from "../engine/runs/run-question";
import { instantsOf, readWallTime, skippedWords } from "../engine/schedules/wall-time";

/** The fields of the filter's language (docs/console/filters.md), but for those with a name of their own: `PREFIXES`. */
export const FIELDS = [
  "status",
  "workflow",
  "step",
  "error",
  "attention",
  "since",
  "until",
  "took",
  "version",
  "did",
  "failed-attempts",
] as const;
export type Field = (typeof FIELDS)[number];
/** Of a tag, a step, or a place in the run's input or output. */
export type FieldName = Field | `${(typeof PREFIXES)[number]}${string}`;
export const PREFIXES = ["tag.", "took.", "input.", "output."] as const;

/** What can be left out, with `-` before it: of these it is plain which runs remain. */
export const NEGATABLE: readonly string[] = ["status", "workflow", "step", "error", "version", "did"] satisfies Field[];

/** A field that a run has one of, or a window that has one end: what is written later takes the place of the earlier. */
export const SINGLE: readonly string[] = ["since", "until"] satisfies Field[];

const FIELD_NOTES: Record<Field | (typeof PREFIXES)[number], string> = {
  status: "its status",
  workflow: "which one",
  step: "where it failed, waits or runs",
  error: "part of its error’s name, code or message",
  attention: "why it needs attention",
  since: "started after",
  until: "started before",
  took: "longer or shorter than",
  version: "of the workflow’s code",
  did: "a step that completed",
  "failed-attempts": "of one step, more than",
  "tag.": "its business data",
  "took.": "a step, longer or shorter than",
  "input.": "a value in its input",
  "output.": "a value in its output",
};

export const noteOf = (field: string): string =>
  FIELD_NOTES[PREFIXES.find((prefix) => field.startsWith(prefix)) ?? (field as Field)];

/** A value as it is kept, or what is wrong with it and what to write instead. */
type Checked = { value: string } | { says: string };

/** Checks what was written for a field. Days and hours without a zone are those of the given one. */
export function checkValue(field: FieldName, written: string, zone: string): Checked {
  if (written === "") return { says: `Write a value for ${field} after the colon.` };
  if (written.length > 200) return { says: `The value of ${field} is too long: 200 characters at most.` };
  if (isQuestionField(field)) return readQuestion(`${field}:${written}`) ?? { value: written };
  const check = CHECKS[field as Field];
  return check ? check(written, zone) : { value: written };
}

const CHECKS: Partial<Record<Field, (written: string, zone: string) => Checked>> = {
  status: (written) => oneOf("status", RUN_STATUSES, written),
  attention: (written) => oneOf("attention", ATTENTIONS, written),
  version: (written) =>
    /^[1-9]\d{0,8}$/.test(written)
      ? { value: written }
      : { says: `“${written}” is not a version. Write a number, such as version:7.` },
  since: (written, zone) => timeOf("since", written, zone),
  until: (written, zone) => timeOf("until", written, zone),
  took: (written) => {
    const [, sign, amount = ""] = /^([<>]?)(.*)$/.exec(written) ?? [];
    return readDuration(amount) === null
      ? { says: `“${written}” is not a duration. Write took:>5m or took:<10s.` }
      : { value: `${sign || ">"}${amount}` };
  },
};

function oneOf(field: string, values: readonly string[], written: string): Checked {
  const value = values.find((one) => one === written.toLowerCase().replaceAll(/[ -]/g, "_"));
  return value ? { value } : { says: `“${written}” is not a ${field}. Choose from ${values.join(", ")}.` };
}

function timeOf(field: "since" | "until", written: string, zone: string): Checked {
  const isDate = /^\d{4}-\d\d-\d\d/.test(written);
  if (!isDate)
    return readDuration(written) !== null && /[a-z]$/.test(written)
      ? { value: written }
      : {
          says: `“${written}” is not a time. Write how long ago, such as ${field}:24h, or a day, such as ${field}:2026-11-21.`,
        };
  const wall = readWallTime(written);
  const instants = Number.isNaN(wall) ? [Date.parse(written)] : instantsOf(wall, zone);
  // Where clocks are put back, what may be meant is inside the window.
  const at = instants.at(field === "since" ? 0 : -1);
  if (at === undefined) return { says: `There is no ${written}. ${skippedWords(wall, zone)}` };
  return Number.isNaN(at)
    ? { says: `“${written}” is not a time. Write ${field}:2026-11-21 or ${field}:2026-11-21T14:30.` }
    : { value: new Date(at).toISOString() };
}
