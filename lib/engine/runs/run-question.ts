import { readDuration } from "../duration";
import { parseValuePath } from "../values/value-path";

/*
 * What a run did, as a filter asks for it: "did:charge-payment", "-did:send-confirmation", "failed-attempts:>3",
 * "took.charge-payment:>2s", "input.amountCents:>10000". In the filter's language, the API and the store it is this one text.
 */

/** In one filter; each may read a few rows of every run on the way. */
export const MAX_QUESTIONS = 10;

export type Compares = "=" | ">" | ">=" | "<" | "<=";

export type RunQuestion =
  /** The step has completed, and no rerun has set that aside. */
  | { asks: "did"; step: string; not: boolean }
  /** Of one step, in its current generation. */
  | { asks: "failed_attempts"; over: number }
  /** From the begin of its first attempt to its end, or until now. */
  | { asks: "step_took"; step: string; compares: ">=" | "<"; ms: number }
  | { asks: "value"; of: "input" | "output"; keys: string[]; compares: Compares; value: string };

/** The question with its value in the one form in which it is kept, or what is wrong with it and what to write instead. */
type Read = { question: RunQuestion; value: string } | { says: string };

const TEXT = /^(-?)(did|failed-attempts|(?:took|input|output)\.[^:]+):(.*)$/s;

/** Of these only `did` can be negated. */
export const isQuestionField = (field: string): boolean =>
  /^(did$|failed-attempts$|(took|input|output)\..)/.test(field);

/** A question as it is kept: `field:value`, with `-` before it if it is negated. Null for any other text. */
export function readQuestion(text: string): (Read & { field: string; not: boolean }) | null {
  const [, minus, field, written] = TEXT.exec(text) ?? [];
  if (field === undefined || written === undefined) return null;
  const not = minus === "-";
  return { ...askedBy(field, written, not), field, not };
}

function askedBy(field: string, written: string, not: boolean): Read {
  if (written === "") return { says: `Write a value for ${field} after the colon.` };
  if (field === "did") return { question: { asks: "did", step: written, not }, value: written };
  if (not) return { says: `${field} cannot be negated. Turn its sign around: ${field}:<…` };
  if (field === "failed-attempts") return failedAttempts(written);
  const name = field.slice(field.indexOf(".") + 1);
  return field.startsWith("took.") ? stepTook(field, name, written) : valueAt(field, written);
}

function failedAttempts(written: string): Read {
  const [, sign, amount = ""] = /^(>=?)?(\d{1,6})$/.exec(written) ?? [];
  if (amount === "") return { says: `“${written}” is not a number of attempts. Write failed-attempts:>3.` };
  const over = sign === ">" ? Number(amount) : Math.max(0, Number(amount) - 1);
  return { question: { asks: "failed_attempts", over }, value: `>${over}` };
}

function stepTook(field: string, step: string, written: string): Read {
  const [, sign, amount = ""] = /^([<>]?)=?(.*)$/.exec(written) ?? [];
  const ms = readDuration(amount);
  if (ms === null) return { says: `“${written}” is not a duration. Write ${field}:>2s or ${field}:<500ms.` };
  const question = { asks: "step_took", step, compares: sign === "<" ? "<" : ">=", ms } as const;
  return { question, value: `${sign || ">"}${amount}` };
}

function valueAt(field: string, written: string): Read {
  const path = parseValuePath(field);
  if (path === null) return { says: `“${field}” is not a path. Write keys with dots between: input.customer.tier.` };
  const [, sign = "", rest = ""] = /^(>=|<=|>|<|=)?(.*)$/s.exec(written) ?? [];
  const compares = (sign || "=") as Compares;
  const isNumber = /^-?\d{1,15}(\.\d{1,9})?$/.test(rest);
  if (compares !== "=" && !isNumber)
    return { says: `“${rest}” is not a number. Write ${field}:>10000, or ${field}:${rest || "text"} for a text.` };
  if (rest === "") return { says: `Write a value for ${field} after the colon.` };
  return { question: { asks: "value", ...path, compares, value: rest }, value: `${sign === "=" ? "" : sign}${rest}` };
}
