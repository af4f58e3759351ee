import { type QueryConfig, types } from "pg";

type Parser = (text: string) => unknown;

const INSTANT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)(:\d\d)?$/;

/** The form that sessions use since PostgreSQL 8; anything else, such as `infinity`, as `pg` reads it. */
function instant(text: string): unknown {
  const [, day, time, hours, minutes = ":00"] = INSTANT.exec(text) ?? [];
  return day ? new Date(`${day}T${time}${hours}${minutes}`) : types.getTypeParser(TIMESTAMPTZ, "text")(text);
}

const asItIs: Parser = (text) => text;
const TIMESTAMPTZ = 1184;

/**
 * How the engine reads its columns, by type. An app may have set other parsers for all of its process (`types.setTypeParser`), such as
 * one that leaves instants as text. Ids, epochs and counts are bigint in PostgreSQL and stay far below 2^53; as numbers they compare
 * like numbers.
 */
const PARSERS: Record<number, Parser> = {
  ...{ 16: (text) => text === "t", 20: Number, 21: Number, 23: Number, 26: Number, 700: Number, 701: Number },
  ...{ 19: asItIs, 25: asItIs, 1043: asItIs, 2950: asItIs, 114: JSON.parse, 3802: JSON.parse, [TIMESTAMPTZ]: instant },
};

export const engineTypes: NonNullable<QueryConfig["types"]> = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    (format !== "binary" && PARSERS[oid]) || types.getTypeParser(oid, format as "text")) as typeof types.getTypeParser,
};
