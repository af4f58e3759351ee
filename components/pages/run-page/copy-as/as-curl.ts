import { isUnshown } from "@/components/parts/values/source-text";
import type { Json } from "@/components/parts/values/value-node";
import type { Run } from "@/lib/api/contract/run";
import { HIDDEN } from "@/lib/engine/privacy/hidden-text";

const TOKEN = `-H "Authorization: Bearer $HANDRAIL_TOKEN"`;
const PLACEHOLDER = "(masked)";
/** Linux takes 131,072 bytes in one argument; of a character that is not ASCII, four bytes at the most. */
const LONGEST_ARGUMENT = 32_000;
const END_OF_BODY = "HANDRAIL_BODY";

/** `origin`: of the console, such as `https://handrail.example.com`. */
export const asReadCurl = (run: Run, origin: string): string =>
  `curl --fail-with-body ${shellQuote(`${origin}/api/v1/runs/${run.id}`)} ${TOKEN}\n`;

/** Starts a new run of the same workflow with the same input. */
export function asStartCurl(run: Run, origin: string): string {
  const masked: string[] = [];
  const input = withPlaceholders(run.input as Json, "input", masked);
  const body = JSON.stringify({
    workflow: run.workflow,
    input,
    ...(run.priority !== 0 && { priority: run.priority }),
    ...tagsOf(run),
  });
  const asArgument = body.length <= LONGEST_ARGUMENT;
  return [
    ...(masked.length > 0 ? [`# Masked here; write it in place of "${PLACEHOLDER}": ${masked.join(", ")}`] : []),
    `curl --fail-with-body -X POST ${shellQuote(`${origin}/api/v1/runs`)} \\`,
    `  ${TOKEN} \\`,
    "  -H 'Content-Type: application/json' \\",
    ...(asArgument
      ? [`  --data-raw ${shellQuote(body)}`]
      : // The body is one line of JSON, so the heredoc's end line cannot occur in it.
        [`  --data-binary @- <<'${END_OF_BODY}'`, body, END_OF_BODY]),
    "",
  ].join("\n");
}

/** Includes keys derived from its input; given again, the result is the same. No schedule starts the new run. */
function tagsOf({ tags, scheduledAt }: Run): { tags?: Record<string, string> } {
  const own = Object.entries(tags).filter(
    ([name, value]) => !(name === "schedule" && scheduledAt !== null) && !value.includes(HIDDEN),
  );
  return own.length > 0 ? { tags: Object.fromEntries(own) } : {};
}

const MOST_NAMED = 8;

function withPlaceholders(json: Json, path: string, masked: string[]): Json {
  const note = () => {
    // A key may hold a line break, which would end the comment.
    if (masked.length < MOST_NAMED) masked.push(JSON.stringify(path).slice(1, -1));
    else masked[MOST_NAMED] = "…";
  };
  if (typeof json === "string" && json.includes(HIDDEN)) note();
  if (typeof json !== "object" || json === null) return json;
  if (isUnshown(json)) {
    note();
    return PLACEHOLDER;
  }
  if (Array.isArray(json)) return json.map((item, index) => withPlaceholders(item, `${path}[${index}]`, masked));
  return Object.fromEntries(
    Object.entries(json).map(([key, item]) => [key, withPlaceholders(item, `${path}.${key}`, masked)]),
  );
}

/** One word of any POSIX shell, whatever it contains. It cannot hold a NUL, and neither can a shell's. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
