/** What PostgreSQL can store: no NUL, and no half of a surrogate pair. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** The same text as PostgreSQL can store it. */
export const asPlainText = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed();
