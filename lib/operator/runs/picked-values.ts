import { parseValuePath, pruned, type ValuePath } from "../../engine/values/value-path";
import type { Db } from "../../store/db";
import { selectLongValues } from "../../store/reads/long-values";
import { type ListedRunRow, MAX_LISTED_BYTES } from "../../store/reads/run-list";
import type { Json } from "../../store/rows";
import { asJsonOrNull } from "../values";

/** Bytes of all long values of a page together; values beyond are reported as too long. */
const MAX_LONG_BYTES = 4_194_304;

type Row = Pick<ListedRunRow, "id" | "input" | "output">;

/**
 * The values at these paths, of each run of a page, by path. Most values come with the list; one more statement reads
 * those that are too long for it, if there are any.
 */
export async function pickValues(db: Db, rows: readonly Row[], texts: readonly string[]) {
  const paths = texts.flatMap((text) => [[text, parseValuePath(text)] as const]).filter(isPath);
  const parts = [...new Set(paths.map(([, { of }]) => of))];
  const long = rows.filter((row) => parts.some((part) => isClipped(row[part])));
  const found =
    long.length > 0
      ? await selectLongValues(
          db,
          long.map(({ id }) => id),
          parts,
          { longerThan: MAX_LISTED_BYTES, atMost: MAX_LONG_BYTES },
        )
      : [];
  const longOf = new Map(found.map(({ id, part, text }) => [`${id} ${part}`, text]));
  return (row: Row): Record<string, Json> => {
    const values = new Map(parts.map((part) => [part, asJsonOrNull(longOf.get(`${row.id} ${part}`) ?? row[part])]));
    return Object.fromEntries(paths.map(([text, { of, keys }]) => [text, pruned(values.get(of) ?? {}, keys) as Json]));
  };
}

const isPath = (path: readonly [string, ValuePath | null]): path is readonly [string, ValuePath] => path[1] !== null;

const isClipped = (text: string | null) => text?.startsWith('{"$type":"clipped"') ?? false;
