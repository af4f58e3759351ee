import { asPlainText } from "../../engine/values/plain-text";

const MAX_LENGTH = 4_096;

/**
 * A step author's text for people: a reference, instructions. It must not fail the step, which may have had its effect:
 * what the database refuses is replaced, and code that throws gives none.
 */
export function shownText(give: () => unknown): string | null {
  try {
    const given = give();
    if (given === undefined || given === null) return null;
    return asPlainText(String(given).slice(0, MAX_LENGTH));
  } catch {
    return null;
  }
}
