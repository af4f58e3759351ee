const MAX_LENGTH = 4_096;

/**
 * A step author's text for people: a reference, instructions. The step has had its effect by then, so an invalid text
 * must not fail it: what the database refuses is replaced, and code that throws gives none.
 */
export function shownText(give: () => unknown): string | null {
  try {
    const given = give();
    if (given === undefined || given === null) return null;
    return String(given).slice(0, MAX_LENGTH).replaceAll("\0", "\ufffd").toWellFormed();
  } catch {
    return null;
  }
}
