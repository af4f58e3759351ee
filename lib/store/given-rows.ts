export type Value = string | number | boolean | null;

/** One column of a statement's given rows: its name and type there, and the source of its values. */
export type Column<Row> = readonly [name: string, type: string, of: (row: Row) => Value];

/** The rows as a table named `given`; its arrays are the parameters from `$first` on. */
export function givenRows<Row>(columns: readonly Column<Row>[], first: number): string {
  const arrays = columns.map(([, type], index) => `$${first + index}::${type}[]`);
  return `unnest(${arrays.join(", ")}) as given (${columns.map(([name]) => name).join(", ")})`;
}

/**
 * The values for these parameters, one array per column, as Postgres array literals. `pg` also writes them, but checks
 * every element for any type; a flush has thousands. A column without any value is left empty: `unnest` pads the
 * shorter arrays with nulls, so that unused columns cost nothing.
 */
export function givenValues<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  return columns.map(([, , of]) => arrayLiteral(rows, of));
}

function arrayLiteral<Row>(rows: readonly Row[], of: (row: Row) => Value): string {
  const elements: Value[] = [];
  let isEmpty = true;
  for (const row of rows) {
    const value = of(row);
    if (value !== null) isEmpty = false;
    elements.push(elementOf(value));
  }
  return isEmpty ? "{}" : `{${elements.join(",")}}`;
}

/** Any array as a literal, for a client that does not know its type: it keeps nulls, also where there is nothing else. */
export const literalOf = (values: readonly Value[]) => `{${values.map(elementOf).join(",")}}`;

const elementOf = (value: Value) => (value === null ? "NULL" : typeof value === "string" ? quoted(value) : value);

const NEEDS_ESCAPE = /["\\]/;
const quoted = (text: string) => (NEEDS_ESCAPE.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : `"${text}"`);
