import { z } from "zod";
import { HandrailError, isHandrailError } from "../../engine/errors";
import type { Parts } from "../../engine/parts";
import { ALL_HIDDEN, HIDDEN, NOTHING_HIDDEN } from "../../engine/privacy/hidden-text";
import { type Json, MASKED, type Mask, maskedInParts, maskOf } from "../../engine/privacy/mask";
import { isMaskedTag } from "../../engine/privacy/masked-tags";
import { parseValuePath, shellOf } from "../../engine/values/value-path";
import { inTurns } from "../../operator/in-turns";
import { loadVeils, type Veil, type VeilScope, type Veils } from "../../operator/masking/veils";
import type { Server } from "../../server";
import { type Treatment, treatmentsOf } from "./typed-texts";

/*
 * The one place that masks answers, by the contract: what a schema calls any JSON is a payload, masked by place and by
 * value; what it calls any string is a text, masked by value; what is in no schema is treated as a payload. So a new
 * field is masked unless it is named here.
 */

/** Our own identifying texts: names, ids, actors. */
const NAMES = new Set(
  `id runId traceId planId operationId workerId requestId credentialId keyId name workflow workflows title step failedStep parentStep pageOf
  waitingStep takenByStep nextCursor hash prevHash act actor by startedBy closedBy sentBy madeBy createdBy setBy code address
  userAgent language cron timeZone scopes role actions`.split(/\s+/),
);
/** Defined by the sender or an app's own class, so not our names. */
const TEXTS = new Set(["Event.id", "begunBy.id", "SerializedError.name", "SerializedError.code", "Span.name"]);
/** A person's text for runs that the answer does not name: an edited input, a step's output, an event's payload. */
const GIVEN = maskOf(["input", "output", "payload"]);
const GIVEN_TO_STEPS = maskOf(["input", "output", "payload", "reference"]);
/** What an audit row calls the reference of a step that a person resolved, and the id of an event. */
const IDS = maskOf(["reference", "eventId"]);
/** Whatever it contains. */
const EVERYTHING = maskOf(["*"]);
/** Written by the code only. */
const OF_CODE = new Set(["inputSchema"]);

const either = (one: Mask, other: Mask): Mask => ({ covers: (way) => one.covers(way) || other.covers(way) });

type Db = Server["db"];

/** The subject of a part of an answer. */
export interface Context {
  runId: string | null;
  workflow: string | null;
  /** Texts that a caller typed. */
  typed?: Treatment | undefined;
  /** The action of a plan or an operation. */
  act?: unknown;
}

/** The caller, and the subject of the request. */
export interface Answered {
  /** Whether the caller may see masked values. */
  sees: boolean;
  /** The subject of the request, by its path parameters: an answer need not repeat it. */
  about?: object;
}

interface Visitor {
  payload(json: Json, context: Context, key: string): Parts<Json>;
  text(text: string, context: Context): Parts<string>;
  /** A record of texts, such as tags or headers: paths may name it, too. */
  tags(tags: Record<string, string>, context: Context, key: string): Parts<Json>;
  /** The replacement for a run's position in its queue. */
  queue(shown: Fields, original: Fields): Json;
}

type Fields = Record<string, unknown>;

const NOWHERE: Context = { runId: null, workflow: null };

/** The schema's value without the masked values of its runs and workflows. */
export async function maskAnswer<Answer>(
  db: Db,
  schema: z.ZodType,
  answer: Answer,
  { sees, about: asked = {} }: Answered,
): Promise<Answer> {
  const about = contextOf("", asked as Fields, NOWHERE);
  const veils = await loadVeils(db, { ...(await inTurns(scopeOf(schema, answer, about))), sees });
  return (await inTurns(visit(schema, answer, about, "", "", maskingBy(veils, sees)))) as Answer;
}

const refusal = z.object({ message: z.string(), details: z.unknown() });

/** A refusal may quote the requested run: its choices, or what does not match. */
export async function maskRefusal(db: Db, thrown: unknown, answered: Answered): Promise<unknown> {
  if (!isHandrailError(thrown)) return thrown;
  const { code, message, details, cause } = thrown;
  const masked = await maskAnswer(db, refusal, { message, details }, answered);
  const same = masked.message === message && JSON.stringify(masked.details) === JSON.stringify(details);
  return same ? thrown : new HandrailError(code, masked.message, masked.details, { cause });
}

/** The same for streamed records, such as lines of an export. */
export const maskRecords =
  <Item>(db: Db, schema: z.ZodType, answered: Answered) =>
  (records: readonly Item[]): Promise<Item[]> =>
    maskAnswer(db, z.array(schema), [...records], answered);

const isHidden = (value: Json) => value === MASKED || (typeof value === "string" && isMaskedTag(value));

function* scopeOf(schema: z.ZodType, answer: unknown, about: Context): Parts<Omit<VeilScope, "sees">> {
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
    *tags(tags: Record<string, string>, context: Context, key: string) {
      yield note(context, { [key]: tags });
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
    if (typed === undefined || !veil.hides || sees) return veil;
    if (typed === "for_readers") return { ...veil, text: ALL_HIDDEN, mask: EVERYTHING };
    return { ...veil, text: NOTHING_HIDDEN, mask: either(veil.mask, IDS) };
  }
  return {
    *payload(json, context, key) {
      const { mask, text } = yield* veil(context);
      if (key === "params") return yield* maskedInParts(json, context.act === "settle" ? GIVEN_TO_STEPS : GIVEN, text);
      return OF_CODE.has(key) ? json : yield* maskedInParts(json, mask, text);
    },
    *text(text, context) {
      return yield* (yield* veil(context)).text.hideInParts(text);
    },
    *tags(tags, context, key) {
      const { mask, text } = yield* veil(context);
      // By its place: where all texts are hidden, so are names.
      const [shown] = Object.values((yield* maskedInParts({ [key]: tags }, mask, text)) as Fields);
      if (isHidden(shown)) return Object.fromEntries(Object.keys(tags).map((name) => [name, HIDDEN]));
      return Object.fromEntries(
        Object.entries(shown as Fields).map(([name, value]) => [name, isHidden(value) ? HIDDEN : value]),
      );
    },
    // The caller who starts a run knows its key: the number of others in the queue would reveal whether theirs is the
    // same.
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

/** Walks a value by its schema. `key` is its field, `owner` the name of the object that has the field. */
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
    const within = { ...context, typed: treatments[field] ?? context.typed, act: (value as Fields).act };
    // A field without a schema is unknown.
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
  if (type === "string") return yield* visitor.tags(value as Record<string, string>, context, key);
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

/** Data of another run belongs to that run, wherever it is nested. */
function contextOf(owner: string, value: Fields, around: Context): Context {
  const runId = RUNS.has(owner) ? value.id : value.runId;
  const workflow = typeof value.workflow === "string" ? value.workflow : null;
  const { typed } = around;
  if (typeof runId === "string" && UUID.test(runId)) return { runId, workflow: workflow ?? around.workflow, typed };
  return workflow === null ? around : { runId: null, workflow, typed };
}

/**
 * A picked value as it is shown, without parts that the requested path would not have found there: a hidden key does
 * not exist.
 */
const pickedAsShown = (shown: Json, path: string): Json => shellOf(shown, parseValuePath(path)?.keys ?? []);
