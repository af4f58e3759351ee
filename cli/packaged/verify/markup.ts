const TEXTS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** As text of HTML or XML, in an attribute too: without the control characters that XML cannot hold. */
export const markup = (given: string): string =>
  given.replaceAll(/\p{Cc}/gu, (one) => (one === "\n" ? one : "")).replaceAll(/[&<>"]/g, (one) => TEXTS[one] as string);
