import { HandrailError } from "../errors";
import { isPlainText } from "../values/plain-text";

type Scalar = string | number | boolean | null;

/** What a field must be. Of several comparisons, all must hold. A field that the payload lacks fits `{ exists: false }` only. */
export interface Comparison<Value extends Scalar = Scalar> {
  /** Neither this nor one of these. */
  not?: Value | readonly Value[];
  /** Numbers by value, strings by their characters' code points; a field of the other type does not fit. */
  gt?: Extract<Value, string | number>;
  gte?: Extract<Value, string | number>;
  lt?: Extract<Value, string | number>;
  lte?: Extract<Value, string | number>;
  /** Whether the payload has the field; `null` counts as there. */
  exists?: boolean;
}

/** This value, one of these, or comparisons. */
export type Condition<Value extends Scalar = Scalar> = Value | readonly Value[] | Comparison<Value>;

type FieldOf<Payload> = Payload extends unknown ? keyof Payload & string : never;
type ValueOf<Payload, Field> = Payload extends unknown
  ? Field extends keyof Payload
    ? Extract<Payload[Field], Scalar>
    : never
  : never;

/** Conditions on fields of a payload as it was sent, by name or by path (`"customer.country"`); all must hold. */
export type EventFilter<Payload = unknown> = unknown extends Payload
  ? { readonly [path: string]: Condition }
  : { readonly [Field in FieldOf<Payload>]?: Condition<ValueOf<Payload, Field>> } & {
      readonly [path: `${string}.${string}`]: Condition;
    };

type Operator = "in" | keyof Comparison;

/** One condition, in the form in which the database evaluates it. */
interface Clause {
  path: string[];
  op: Operator;
  value: Scalar | readonly Scalar[];
}

const ORDERS: ReadonlySet<string> = new Set(["gt", "gte", "lt", "lte"]);
const MAX_FIELDS = 20;
const MAX_VALUES = 100;
const MAX_TEXT = 255;

/**
 * A filter as the database keeps and evaluates it (`handrail.event_fits`).
 * @param of whose filter it is, for the message: `step "wait"`
 * @param hasField whether payloads can have this field: a path that they cannot have is refused
 * @throws HandrailError `invalid_workflow` that names the field
 */
export function planFilter(where: unknown, of: string, hasField: (path: readonly string[]) => boolean): string {
  const refuse = (what: string) => new HandrailError("invalid_workflow", `The filter (where) of ${of} ${what}`);
  if (!isObject(where)) throw refuse('has to be an object of fields, such as { country: "DE" }.');
  const fields = Object.entries(where);
  if (fields.length < 1 || fields.length > MAX_FIELDS)
    throw refuse(`has to name 1 to ${MAX_FIELDS} fields. Leave it out to take every event.`);
  const clauses = fields.flatMap(([field, condition]) => {
    const path = field.split(".");
    if (!path.every((key) => isText(key) && key !== "" && !key.startsWith("$")))
      throw refuse(`cannot name the field ${JSON.stringify(field).slice(0, 80)}. Use names joined by ".".`);
    if (!hasField(path)) throw refuse(`names "${field}", which the payload's schema does not have.`);
    return clausesOf(path, condition, (what) => refuse(`${what} at "${field}".`));
  });
  return JSON.stringify(clauses);
}

function clausesOf(path: string[], condition: unknown, refuse: (what: string) => HandrailError): Clause[] {
  if (!isObject(condition)) return [{ path, op: "in", value: listOf(condition, refuse) }];
  const comparisons = Object.entries(condition);
  if (comparisons.length === 0) throw refuse("has no comparison");
  return comparisons.map(([op, value]): Clause => {
    if (op === "not") return { path, op, value: listOf(value, refuse) };
    if (op === "exists") {
      if (typeof value !== "boolean") throw refuse("needs true or false for exists");
      return { path, op, value };
    }
    if (!ORDERS.has(op))
      throw refuse(`has an unknown operator "${op.slice(0, 80)}" (known: not, gt, gte, lt, lte, exists)`);
    if (!isScalar(value) || value === null || typeof value === "boolean")
      throw refuse(`needs a number or a string for ${op}`);
    return { path, op: op as Operator, value };
  });
}

function listOf(given: unknown, refuse: (what: string) => HandrailError): readonly Scalar[] {
  const values: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (values.length < 1 || values.length > MAX_VALUES) throw refuse(`needs 1 to ${MAX_VALUES} values`);
  // `every` skips the holes of a sparse array, which JSON writes as null.
  if (!Array.from(values).every(isScalar))
    throw refuse(
      `compares with a ${typeof values.find((value) => !isScalar(value))}; only strings of ${MAX_TEXT} characters, finite numbers, booleans and null can be compared`,
    );
  return values as readonly Scalar[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));

const isText = (value: string) => value.length <= MAX_TEXT && isPlainText(value);

const isScalar = (value: unknown): value is Scalar =>
  value === null ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value)) ||
  (typeof value === "string" && isText(value));
