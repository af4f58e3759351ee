import { z } from "zod";
import { HandrailError, isHandrailError } from "../../engine/errors";
import type { Parts } from "../../engine/parts";
import { ALL_HIDDEN, HIDDEN, NOTHING_HIDDEN } from "../../engine/privacy/hidden-text";
import { type Json, MASKED, maskedInParts, maskOf } from "../../engine/privacy/mask";
import { isMaskedTag } from "../../engine/privacy/masked-tags";
import { inTurns } from "../../operator/in-turns";
import { loadVeils, type ToldOf, type Veil, type Veils } from "../../operator/masking/veils";
import type { Server } from "../../server";
import { pickedAsShown } from "./picked-as-shown";
import { type Treatment, treatmentsOf } from "./typed-texts";

/*
 * The one place where answers lose what is masked. It goes by the contract: what a schema calls any JSON is a payload, masked by
 * place and by value; what it calls any string is a text, masked by value; what stands in no schema is taken for a payload. So a
 * field that is added tomorrow is masked unless it is named here.
 */

/** Texts of ours, by which things are found and told apart: names, ids, who did it. */
const NAMES = new Set(
  `id runId planId operationId workerId requestId credentialId keyId name workflow workflows title step failedStep parentStep
  waitingStep takenByStep nextCursor hash prevHash act actor by startedBy closedBy sentBy madeBy createdBy setBy code address
  userAgent language cron timeZone scopes role actions`.split(/\s+/),
);
/** Of the sender's, or of an app's own class, and so no names of ours. */
const TEXTS = new Set(["Event.id", "begunBy.id", "SerializedError.name", "SerializedError.code"]);
/** What a person gave for runs that the answer does not name: an edited input, a step's output, an event's payload. */
const GIVEN = maskOf(["input", "output", "payload"]);
/** Whatever is in it. */
const EVERYTHING = maskOf(["*"]);
/** Of the code alone. */
const OF_CODE = new Set(["inputSchema"]);

type Db = Server["db"];

/** What a part of an answer tells of. */
export interface Context {
  runId: string | null;
  workflow: string | null;
  /** Where a caller typed it. */
  typed?: Treatment | undefined;
}

/** Who is answered, and about what. */
export interface Answered {
  /** Whether masked values are theirs to see. */
  sees: boolean;
  /** What was asked about, by the parameters of its path: an answer need not say it again. */
  about?: object;
}

interface Visitor {
  payload(json: Json, context: Context, key: string): Parts<Json>;
  text(text: string, context: Context): Parts<string>;
  tags(tags: Record<string, string>, context: Context): Parts<Json>;
  /** What a run's place in its queue is shown as. */
  queue(shown: Fields, original: Fields): Json;
}

type Fields = Record<string, unknown>;

const NOWHERE: Context = { runId: null, workflow: null };

/**
 * What the schema says, without the masked values of the runs and workflows that it tells of.
 */
export async function maskAnswer<Answer>(
  db: Db,
  schema: z.ZodType,
  answer: Answer,
  { sees, about: asked = {} }: Answered,
): Promise<Answer> {
  const about = contextOf("", asked as Fields, NOWHERE);
  const veils = await loadVeils(db, { ...(await inTurns(toldOf(schema, answer, about))), sees });
  return (await inTurns(visit(schema, answer, about, "", "", maskingBy(veils, sees)))) as Answer;
}

const refusal = z.object({ message: z.string(), details: z.unknown() });

/** A refusal may tell of the run that was asked about: which choices it has, what it does not fit. */
export async function maskRefusal(db: Db, thrown: unknown, answered: Answered): Promise<unknown> {
  if (!isHandrailError(thrown)) return thrown;
  const { code, message, details, cause } = thrown;
  const told = await maskAnswer(db, refusal, { message, details }, answered);
  const same = told.message === message && JSON.stringify(told.details) === JSON.stringify(details);
  return same ? thrown : new HandrailError(code, told.message, told.details, { cause });
}

/** The same for records that are told one by one, such as lines of an export. */
export const maskRecords =
  <Item>(db: Db, schema: z.ZodType, answered: Answered) =>
  (records: readonly Item[]): Promise<Item[]> =>
    maskAnswer(db, z.array(schema), [...records], answered);

const isHidden = (value: Json) => value === MASKED || (typeof value === "string" && isMaskedTag(value));

function* toldOf(schema: z.ZodType, answer: unknown, about: Context): Parts<Omit<ToldOf, "sees">> {
  const runs = new Map<string, Json[]>();
  const workflows = new Set<string>();
  const note = ({ runId, workflow }: Context, json?: Json) => {
    if (workflow !== null) workflows.add(workflow);
    if (runId === null) return;
    const payloads = runs.get(runId) ?? [];
    if (json !== undefined) payloads.push(json);
    runs.set(runId, payloads);
  };
  const noting = {
    *payload(json: Json, context: Context) {
      yield note(context, json);
      return json;
    },
    *text(text: string, context: Context) {
      yield note(context);
      return text;
    },
    *tags(tags: Record<string, string>, context: Context) {
      yield note(context, tags);
      return tags;
    },
    queue: (shown: Fields) => shown,
  };
  yield* visit(schema, answer, about, "", "", noting);
  return { runs, workflows };
}

function maskingBy(veils: Veils, sees: boolean): Visitor {
  function* veil({ runId, workflow, typed }: Context): Parts<Veil> {
    const veil = runId === null ? veils.ofWorkflow(workflow) : yield* veils.ofRun(runId, workflow);
    if (typed === "as_typed") return { ...veil, text: NOTHING_HIDDEN };
    return typed === "for_readers" && veil.hides && !sees ? { ...veil, text: ALL_HIDDEN, mask: EVERYTHING } : veil;
  }
  return {
    *payload(json, context, key) {
      const { mask, text } = yield* veil(context);
      if (key === "params") return yield* maskedInParts(json, GIVEN, text);
      return OF_CODE.has(key) ? json : yield* maskedInParts(json, mask, text);
    },
    *text(text, context) {
      return yield* (yield* veil(context)).text.hideInParts(text);
    },
    *tags(tags, context) {
      const { mask, text } = yield* veil(context);
      const shown = (yield* maskedInParts(tags, mask, text)) as Record<string, Json>;
      return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, isHidden(value) ? HIDDEN : value]));
    },
    // Whoever starts a run knows its key: how many others are in the queue would tell whether theirs is the same.
    queue: (shown, { key }) => (shown.key === key || sees ? shown : null),
  };
}

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

/** Goes through a value by its schema. `key` is the field that it is in, `owner` the name of what has the field. */
function* visit(
  schema: z.ZodType,
  value: unknown,
  context: Context,
  key: string,
  owner: string,
  visitor: Visitor,
): Parts<unknown> {
  if (value === null || value === undefined) return value;
  const { type, format, innerType, element, valueType, options, shape } = definitionOf(schema);
  if (innerType) return yield* visit(innerType, value, context, key, owner, visitor);
  if (type === "string") {
    const isName = format !== undefined || (NAMES.has(key) && !TEXTS.has(`${owner}.${key}`));
    return isName || typeof value !== "string" ? value : yield* visitor.text(value, context);
  }
  if (["enum", "literal", "boolean", "number", "int", "null", "undefined"].includes(type)) return value;
  if (type === "array" && element && Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(yield* visit(element, item, context, key, owner, visitor));
    return items;
  }
  if (type === "object" && shape) return yield* visitObject(schema, shape, value as object, context, key, visitor);
  if (type === "record" && valueType) return yield* visitRecord(valueType, value as object, context, key, visitor);
  const fitting = options?.find((option) => option.safeParse(value).success);
  return yield* fitting ? visit(fitting, value, context, key, owner, visitor) : visitor.payload(value, context, key);
}

function* visitObject(
  schema: z.ZodType,
  shape: Record<string, z.ZodType>,
  value: object,
  around: Context,
  key: string,
  visitor: Visitor,
): Parts<unknown> {
  yield;
  const owner = schema.meta()?.id ?? key;
  const context = contextOf(owner, value as Fields, around);
  const treatments = treatmentsOf(owner, value as Fields);
  const fields: [string, unknown][] = [];
  for (const [field, item] of Object.entries(value)) {
    const within = treatments[field] ? { ...context, typed: treatments[field] } : context;
    // Of a field that no schema knows, nothing is known.
    const shown = shape[field]
      ? visit(shape[field], item, within, field, owner, visitor)
      : visitor.payload(item, within, field);
    fields.push([field, yield* shown]);
  }
  const shown = Object.fromEntries(fields);
  return owner === "RunQueue" ? visitor.queue(shown, value as Fields) : shown;
}

function* visitRecord(
  valueType: z.ZodType,
  value: object,
  context: Context,
  key: string,
  visitor: Visitor,
): Parts<unknown> {
  const { type } = definitionOf(valueType);
  if (type === "string") return yield* visitor.tags(value as Record<string, string>, context);
  if (type === "unknown" && key !== "picked") return yield* visitor.payload(value, context, key);
  const fields: [string, unknown][] = [];
  for (const [field, item] of Object.entries(value)) {
    const shown = yield* visit(valueType, item, context, field, key, visitor);
    fields.push([field, key === "picked" ? pickedAsShown(shown, field) : shown]);
  }
  return Object.fromEntries(fields);
}

const RUNS = new Set(["Run", "RunListItem", "ChildRun"]);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What tells of another run belongs to that one, whatever it stands in. */
function contextOf(owner: string, value: Fields, around: Context): Context {
  const runId = RUNS.has(owner) ? value.id : value.runId;
  const workflow = typeof value.workflow === "string" ? value.workflow : null;
  const { typed } = around;
  if (typeof runId === "string" && UUID.test(runId)) return { runId, workflow: workflow ?? around.workflow, typed };
  return workflow === null ? around : { runId: null, workflow, typed };
}
