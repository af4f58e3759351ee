import type { StandardSchemaV1 } from "@standard-schema/spec";
import { HandrailError } from "../errors";
import type { RemoteDefinition } from "./remote-definition";
import { defineWorkflow, type Workflow } from "./workflow";

/**
 * Equivalent to a local workflow for starts, claims and limits; its steps do not run here.
 * @param input the validator of its input
 * @throws HandrailError `invalid_workflow` that says what to write instead
 */
export function remoteWorkflow(remote: RemoteDefinition, input: StandardSchemaV1): Workflow {
  const {
    name,
    version,
    title,
    retry,
    timeoutMs,
    onFailure,
    fourEyes,
    tags = {},
    runTitle,
    masked,
    searchable,
    concurrency,
    rateLimit,
    singleton,
  } = remote;
  if (concurrency?.key && rateLimit?.key && concurrency.key !== rateLimit.key)
    throw new HandrailError(
      "invalid_workflow",
      `The limits of workflow "${name}" count by different keys; a run is in one queue.`,
    );
  const key = concurrency?.key ?? rateLimit?.key;
  const keyOf = (given: unknown) => (key === undefined ? undefined : textAt(given, key)) ?? "";
  const keyedBy = (pointer: string | undefined) => (pointer === undefined ? {} : { key: keyOf });
  const { key: one, ...onConflict } = singleton ?? {};
  const workflow = defineWorkflow(
    {
      name,
      version,
      input,
      ...(title !== undefined && { title }),
      ...(masked && { masked }),
      ...(searchable && { searchable }),
      ...(retry && { retry }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(onFailure && { onFailure }),
      ...(fourEyes && { fourEyes }),
      ...(concurrency && { concurrency: { limit: concurrency.limit, ...keyedBy(concurrency.key) } }),
      ...(rateLimit && { rateLimit: { limit: rateLimit.limit, perMs: rateLimit.perMs, ...keyedBy(rateLimit.key) } }),
      ...(runTitle !== undefined && { runTitle: (given: unknown) => filledIn(runTitle, given) }),
      ...(singleton && {
        singleton: { ...onConflict, ...(one !== undefined && { key: (given) => textAt(given, one) ?? "" }) },
      }),
      tags: (given) =>
        Object.fromEntries(
          Object.entries(tags)
            .map(([tag, pointer]) => [tag, textAt(given, pointer)] as const)
            .filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
        ),
    },
    () => Promise.reject(new HandrailError("internal", `The steps of "${name}" are not code of this process.`)),
  );
  return { ...workflow, remote };
}

/** A title with its pointers replaced; none if one of them leads to no text or number. */
function filledIn(title: string, input: unknown): string | undefined {
  const values = [...title.matchAll(TITLE_POINTER)].map(([, pointer = ""]) => textAt(input, pointer));
  if (values.includes(undefined)) return undefined;
  return title.replaceAll(TITLE_POINTER, () => values.shift() as string);
}

const TITLE_POINTER = /\{(\/[^{}]*)\}/g;

/** The value at a JSON Pointer (RFC 6901), if it is a text or a number. */
function textAt(value: unknown, pointer: string): string | undefined {
  let at = value;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    at =
      typeof at === "object" && at !== null && Object.hasOwn(at, key)
        ? (at as Record<string, unknown>)[key]
        : undefined;
  }
  return typeof at === "string" || typeof at === "number" ? String(at) : undefined;
}
