import type { z } from "zod";

/*
 * What the contract says about a value: what a schema calls any JSON is a payload, what it calls any string is a text,
 * and what is in no schema is treated as a payload. So a new field is masked unless it is named here. It is the same
 * for each value of a schema, and found out once.
 */

/** Our own identifying texts: names, ids, actors. */
const NAMES = new Set(
  `id runId traceId planId operationId workerId requestId credentialId keyId name workflow workflows title step failedStep parentStep pageOf
  waitingStep takenByStep nextCursor hash prevHash act actor by startedBy closedBy sentBy madeBy createdBy setBy code address
  userAgent language cron timeZone scopes role actions`.split(/\s+/),
);
/** Defined by the sender or an app's own class, so not our names. */
const TEXTS = new Set(["Event.id", "begunBy.id", "SerializedError.name", "SerializedError.code", "Span.name"]);

export type Kind =
  /** Shown as it is. */
  | { is: "ours" }
  | { is: "text" }
  /** Any JSON. */
  | { is: "payload" }
  /** A record of texts, such as tags or headers. */
  | { is: "tags" }
  | { is: "list"; item: Kind }
  /** `owner` is its name in the contract; without one, that of its field. */
  | { is: "object"; owner: string; field: (name: string) => Kind }
  | { is: "record"; item: (name: string) => Kind }
  /** One of several schemas. */
  | { is: "choice"; fitting: (value: unknown) => Kind };

const OURS: Kind = { is: "ours" };
const TEXT: Kind = { is: "text" };
const PAYLOAD: Kind = { is: "payload" };
const TAGS: Kind = { is: "tags" };
const WITHOUT_TEXTS = new Set(["enum", "literal", "boolean", "number", "int", "null", "undefined"]);

type Definition = {
  type: string;
  format?: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
  shape?: Record<string, z.ZodType>;
};

const definitionOf = (schema: z.ZodType) => schema._zod.def as unknown as Definition;

const ofAnswers = new WeakMap<z.ZodType, Kind>();

/** Of a whole answer. */
export function kindOf(schema: z.ZodType): Kind {
  const { type, element } = definitionOf(schema);
  // The schema of a list may have been made for one answer: that of its items has not.
  if (type === "array" && element) return { is: "list", item: kindOf(element) };
  const kind = ofAnswers.get(schema) ?? kindWithin(schema, "", "");
  ofAnswers.set(schema, kind);
  return kind;
}

/** @param key the field that has the value; `owner` is the name of the object that has the field */
function kindWithin(schema: z.ZodType, key: string, owner: string): Kind {
  const { type, format, innerType, element, valueType, options, shape } = definitionOf(schema);
  if (innerType) return kindWithin(innerType, key, owner);
  if (type === "string") return format !== undefined || (NAMES.has(key) && !TEXTS.has(`${owner}.${key}`)) ? OURS : TEXT;
  if (WITHOUT_TEXTS.has(type)) return OURS;
  if (type === "array" && element) return { is: "list", item: kindWithin(element, key, owner) };
  if (type === "object" && shape) return objectKind(schema.meta()?.id ?? key, shape);
  if (type === "record" && valueType) return recordKind(valueType, key);
  return options ? choiceKind(options, key, owner) : PAYLOAD;
}

/** A schema may contain itself: what its fields are is asked when there is one. */
function objectKind(owner: string, shape: Record<string, z.ZodType>): Kind {
  const known = new Map<string, Kind>();
  const field = (name: string) => {
    const seen = known.get(name);
    if (seen) return seen;
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    // Not kept: answers may have any number of names that the contract does not know.
    if (!schema) return PAYLOAD;
    const kind = kindWithin(schema, name, owner);
    known.set(name, kind);
    return kind;
  };
  return { is: "object", owner, field };
}

function recordKind(valueType: z.ZodType, key: string): Kind {
  const { type } = definitionOf(valueType);
  if (type === "string") return TAGS;
  if (type === "unknown" && key !== "picked") return PAYLOAD;
  return { is: "record", item: (name) => kindWithin(valueType, name, key) };
}

function choiceKind(options: readonly z.ZodType[], key: string, owner: string): Kind {
  const known = new Map<z.ZodType, Kind>();
  const fitting = (value: unknown) => {
    const option = options.find((one) => one.safeParse(value).success);
    if (!option) return PAYLOAD;
    const kind = known.get(option) ?? kindWithin(option, key, owner);
    known.set(option, kind);
    return kind;
  };
  return { is: "choice", fitting };
}
