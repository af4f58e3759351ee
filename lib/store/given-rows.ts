type Value = string | number | boolean | null;

/** One column of the rows that a statement is given: its name and type there, and where its values come from. */
export type Column<Row> = readonly [name: string, type: string, of: (row: Row) => Value];

/** The rows as a table named `given`; its arrays are the parameters from `$first` on. */
export function givenRows<Row>(columns: readonly Column<Row>[], first: number): string {
  const arrays = columns.map(([, type], index) => `$${first + index}::${type}[]`);
  return `unnest(${arrays.join(", ")}) as given (${columns.map(([name]) => name).join(", ")})`;
}

/**
 * The values for these parameters, one array a column, as Postgres reads arrays. `pg` writes them too, but looks at every
 * element as if it could be anything; a flush has thousands. A column without any value is left empty: `unnest` fills the
 * shorter arrays up with nulls, so that what no row has costs nothing.
 */
export function givenValues<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  return columns.map(([, , of]) => arrayLiteral(rows, of));
}

function arrayLiteral<Row>(rows: readonly Row[], of: (row: Row) => Value): string {
  let elements = "";
  let isEmpty = true;
  for (const row of rows) {
    const value = of(row);
    if (elements !== "") elements += ",";
    if (value === null) elements += "NULL";
    else {
      elements += typeof value === "string" ? quoted(value) : value;
      isEmpty = false;
    }
  }
  return isEmpty ? "{}" : `{${elements}}`;
}

const NEEDS_ESCAPE = /["\\]/;
const quoted = (text: string) => (NEEDS_ESCAPE.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : `"${text}"`);
