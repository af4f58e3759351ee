const MAX_LENGTH = 4_096;

/**
 * What a step's author gives for people to read: a reference, instructions. The step has had its effect by then, so that
 * whatever is wrong with the text must not fail it: what the database refuses is replaced, and code that throws gives none.
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
