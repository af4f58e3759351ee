/** What PostgreSQL can store: no NUL, and no half of a surrogate pair. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
