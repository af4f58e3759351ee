import { HIDDEN } from "../privacy/hidden-text";

/** What a run may be called by, as far as an answer has it. */
export interface RunNames {
  /** As its workflow names it. */
  runTitle?: string | null;
  tags: Record<string, string>;
  idempotencyKey?: string | null;
}

const MADE_BY_A_MACHINE = /^[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** `orderId`, `invoice_no`: such a tag identifies a run; `region` does not. */
const TELLS_ONE = /(?:id|key|ref|reference|no|number)$/i;

/** The tag that people know a run by: the first that names one thing, or the first of all. */
function nameInTags(tags: Record<string, string>): string | undefined {
  const entries = Object.entries(tags).filter(([, value]) => value !== HIDDEN);
  return (entries.find(([name]) => TELLS_ONE.test(name)) ?? entries[0])?.[1];
}

/** What people call a run: its title, or its idempotency key, or a tag if the key only wraps it or is meaningless; null without any. */
export function titleOfRun({ runTitle, tags, idempotencyKey: key = null }: RunNames): string | null {
  const tag = nameInTags(tags);
  if (runTitle && runTitle !== HIDDEN) return runTitle;
  if (key === null || tag === undefined) return key ?? tag ?? null;
  return MADE_BY_A_MACHINE.test(key) || key.includes(tag) ? tag : key;
}
