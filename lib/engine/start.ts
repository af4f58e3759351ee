import { encodeValue } from "./codec";
import { HandrailError } from "./errors";
import type { Workflow } from "./workflow";

export interface StartOptions {
  /** The same key and input give the same run, for ever. 255 characters at most. */
  idempotencyKey?: string;
  /** Not before this instant, by the database's clock. Default: at once. */
  runAt?: Date;
  /** Higher goes first within its workflow; -100 to 100. Default 0. */
  priority?: number;
  /** Added to the workflow's own tags; 16 in all. */
  tags?: Record<string, string>;
}

/** A checked start, ready to be written. */
export interface RunToStart {
  workflow: string;
  version: number;
  input: string;
  tags: Record<string, string>;
  idempotencyKey: string | null;
  runAt: Date | null;
  priority: number;
}

/**
 * Checks everything that can be wrong with a start, before anything is written.
 * @throws HandrailError `invalid_input` with the paths of what is wrong in `details.issues`
 */
export async function prepareStart(
  workflow: Workflow,
  input: unknown,
  options: StartOptions = {},
): Promise<RunToStart> {
  const result = await workflow.input["~standard"].validate(input);
  if (result.issues) throw invalidInput(workflow.name, result.issues);
  const { idempotencyKey = null, runAt = null, priority = 0 } = options;
  checkOptions(idempotencyKey, runAt, priority);
  const tags = { ...workflow.tags(result.value), ...options.tags };
  checkTags(tags);
  const text = encodeValue(result.value, `input of workflow "${workflow.name}"`);
  return { workflow: workflow.name, version: workflow.version, input: text, tags, idempotencyKey, runAt, priority };
}

type Issues = readonly { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined }[];

function invalidInput(workflow: string, issues: Issues): HandrailError {
  const found = issues.slice(0, 20).map(({ message, path = [] }) => ({
    path: path.map((part) => String(typeof part === "object" ? part.key : part)),
    message,
  }));
  const first = found[0];
  const where = first?.path.length ? `${first.path.join(".")}: ` : "";
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : "";
  return new HandrailError(
    "invalid_input",
    `The input does not fit workflow "${workflow}". ${where}${first?.message}${more}`,
    {
      issues: found,
    },
  );
}

function checkOptions(key: string | null, runAt: Date | null, priority: number): void {
  if (key !== null && (key.length < 1 || key.length > 255 || !isPlainText(key)))
    throw new HandrailError(
      "invalid_request",
      "An idempotency key has 1 to 255 characters, none of them NUL or half of a surrogate pair.",
    );
  if (runAt !== null && Number.isNaN(runAt.getTime()))
    throw new HandrailError("invalid_request", "runAt is not an instant.");
  if (!Number.isInteger(priority) || Math.abs(priority) > 100)
    throw new HandrailError("invalid_request", "A priority is a whole number from -100 to 100.");
}

function checkTags(tags: Record<string, string>): void {
  const entries = Object.entries(tags);
  if (entries.length > 16)
    throw new HandrailError("invalid_request", `A run takes 16 tags at most; it got ${entries.length}.`);
  for (const [name, value] of entries)
    if (typeof value !== "string" || !fits(name, 64) || !fits(value, 256))
      throw new HandrailError(
        "invalid_request",
        `The tag "${name}" needs a name of 1 to 64 characters and a text of 1 to 256.`,
      );
}

const isPlainText = (text: string) => text.isWellFormed() && !text.includes("\0");
const fits = (text: string, max: number) => text.length >= 1 && text.length <= max && isPlainText(text);
