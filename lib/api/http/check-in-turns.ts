import { z } from "zod";
import type { Parts } from "../../engine/parts";
import { inTurns } from "../../operator/in-turns";
import type { Endpoint } from "../endpoint";

/** Items of a long list that are checked per chunk. */
const ITEMS_IN_A_PART = 50;

type Checked = { data?: unknown; error?: z.ZodError | undefined };

/** Like `schema.safeParse`, but checks a long list in this field in chunks. Ends with the first invalid chunk. */
export async function checkInTurns(
  schema: z.ZodType,
  value: unknown,
  longList: Endpoint["longList"],
): Promise<Checked> {
  const items = longList && (value as Record<string, unknown> | null)?.[longList.field];
  if (!longList || !Array.isArray(items) || items.length <= ITEMS_IN_A_PART) return schema.safeParse(value);
  const { field, max } = longList;
  const { error } = z.object({ [field]: z.array(z.unknown()).max(max) }).safeParse(value);
  return error ? { error } : inTurns(checkInParts(schema, value as object, field, items));
}

function* checkInParts(schema: z.ZodType, value: object, field: string, items: readonly unknown[]): Parts<Checked> {
  const checked: unknown[] = [];
  for (let from = 0; ; from += ITEMS_IN_A_PART) {
    const part = schema.safeParse({ ...value, [field]: items.slice(from, from + ITEMS_IN_A_PART) });
    if (part.error) return { error: movedBy(from, field, part.error) };
    const data = part.data as Record<string, unknown[]>;
    for (const item of data[field] ?? []) checked.push(item);
    if (from + ITEMS_IN_A_PART >= items.length) return { data: { ...data, [field]: checked } };
    yield;
  }
}

/** With issue paths counted from the beginning of the list. */
const movedBy = (from: number, field: string, { issues }: z.ZodError) =>
  new z.ZodError(
    issues.map((issue) => {
      const [first, index, ...rest] = issue.path;
      const isInList = first === field && typeof index === "number";
      return isInList ? { ...issue, path: [first, index + from, ...rest] } : issue;
    }),
  );
