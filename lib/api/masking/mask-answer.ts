import { z } from "zod";
import { HandrailError, isHandrailError } from "../../engine/errors";
import type { Parts } from "../../engine/parts";
import { ALL_HIDDEN, HIDDEN, NOTHING_HIDDEN } from "../../engine/privacy/hidden-text";
import { type Json, MASKED, type Mask, maskedInParts, maskOf } from "../../engine/privacy/mask";
import { isMaskedTag } from "../../engine/privacy/masked-tags";
import { setField } from "../../engine/set-field";
import { parseValuePath, shellOf } from "../../engine/values/value-path";
import { inTurns } from "../../operator/in-turns";
import { loadVeils, type Veil, type VeilScope, type Veils } from "../../operator/masking/veils";
import type { Server } from "../../server";
import { type Kind, kindOf } from "./kind";
import { type Treatment, treatmentsOf } from "./typed-texts";

/*
 * The one place that masks answers, by the contract (kind.ts): a payload is masked by place and by value, a text by value.
 */

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
  /** At once, if it is shown as it is: an answer has many texts. */
  text(text: string, context: Context): string | Parts<string>;
  /** Paths may name it, too. */
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
  const kind = kindOf(schema);
  const veils = await loadVeils(db, { ...(await inTurns(scopeOf(kind, answer, about))), sees });
  return (await inTurns(visit(kind, answer, about, "", maskingBy(veils, sees)))) as Answer;
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

function* scopeOf(kind: Kind, answer: unknown, about: Context): Parts<Omit<VeilScope, "sees">> {
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
    text(text: string, context: Context) {
      note(context);
      return text;
    },
    *tags(tags: Record<string, string>, context: Context, key: string) {
      yield note(context, { [key]: tags });
      return tags;
    },
    queue: (shown: Fields) => shown,
  };
  yield* visit(kind, answer, about, "", noting);
  return { runs, workflows };
}

function maskingBy(veils: Veils, sees: boolean): Visitor {
  // The fields of an object share its context. Not a part of the context: contexts outlive an answer.
  const known = new Map<Context, Veil>();
  function* veilOf(context: Context): Parts<Veil> {
    const veil = yield* veilIn(context);
    known.set(context, veil);
    return veil;
  }
  function* veilIn({ runId, workflow, typed }: Context): Parts<Veil> {
    const veil = runId === null ? veils.ofWorkflow(workflow) : yield* veils.ofRun(runId, workflow);
    if (typed === "as_typed") return { ...veil, text: NOTHING_HIDDEN };
    if (typed === undefined || !veil.hides || sees) return veil;
    if (typed === "for_readers") return { ...veil, text: ALL_HIDDEN, mask: EVERYTHING };
    return { ...veil, text: NOTHING_HIDDEN, mask: either(veil.mask, IDS) };
  }
  function* hiddenIn(text: string, context: Context): Parts<string> {
    const { text: hidden } = known.get(context) ?? (yield* veilOf(context));
    return yield* hidden.hideInParts(text);
  }
  return {
    *payload(json, context, key) {
      const { mask, text } = known.get(context) ?? (yield* veilOf(context));
      if (key === "params") return yield* maskedInParts(json, context.act === "settle" ? GIVEN_TO_STEPS : GIVEN, text);
      return OF_CODE.has(key) ? json : yield* maskedInParts(json, mask, text);
    },
    text: (text, context) => (known.get(context)?.text === NOTHING_HIDDEN ? text : hiddenIn(text, context)),
    *tags(tags, context, key) {
      const { mask, text } = known.get(context) ?? (yield* veilOf(context));
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

/** Walks a value by its kind. `key` is its field. What a visitor leaves as it is, is not copied. */
function* visit(kind: Kind, value: unknown, context: Context, key: string, visitor: Visitor): Parts<unknown> {
  if (value === null || value === undefined) return value;
  switch (kind.is) {
    case "ours":
      return value;
    case "text": {
      if (typeof value !== "string") return value;
      const shown = visitor.text(value, context);
      return typeof shown === "string" ? shown : yield* shown;
    }
    case "tags":
      return yield* visitor.tags(value as Record<string, string>, context, key);
    case "choice":
      return yield* visit(kind.fitting(value), value, context, key, visitor);
    case "object":
      return yield* visitObject(kind, value as Fields, context, visitor);
    case "record":
      return yield* visitRecord(kind, value as Fields, context, key, visitor);
    case "list":
      if (Array.isArray(value)) return yield* visitList(kind, value, context, key, visitor);
  }
  return yield* visitor.payload(value, context, key);
}

function* visitList(
  { item: kind }: Kind & { is: "list" },
  value: readonly unknown[],
  context: Context,
  key: string,
  visitor: Visitor,
): Parts<unknown> {
  if (kind.is === "ours") return value;
  const items: unknown[] = [];
  for (const item of value) {
    items.push(yield* visit(kind, item, context, key, visitor));
    yield;
  }
  return items;
}

function* visitObject(
  { owner, field: kindOfField }: Kind & { is: "object" },
  value: Fields,
  around: Context,
  visitor: Visitor,
): Parts<unknown> {
  const context = { ...contextOf(owner, value, around), act: value.act };
  const treatments = treatmentsOf(owner, value);
  let shown = value;
  for (const field of Object.keys(value)) {
    const item = value[field];
    const kind = kindOfField(field);
    if (kind.is === "ours" || item === null) continue;
    const typed = treatments?.[field];
    const within = typed === undefined ? context : { ...context, typed };
    const next = yield* visit(kind, item, within, field, visitor);
    if (next === item) continue;
    if (shown === value) shown = { ...value };
    setField(shown, field, next);
  }
  return owner === "RunQueue" ? visitor.queue(shown, value) : shown;
}

function* visitRecord(
  { item: kindOfItem }: Kind & { is: "record" },
  value: Fields,
  context: Context,
  key: string,
  visitor: Visitor,
): Parts<unknown> {
  const fields: [string, unknown][] = [];
  for (const [field, item] of Object.entries(value)) {
    const shown = yield* visit(kindOfItem(field), item, context, field, visitor);
    fields.push([field, key === "picked" ? pickedAsShown(shown, field) : shown]);
    yield;
  }
  return Object.fromEntries(fields);
}

const RUNS = new Set(["Run", "RunListItem", "ChildRun"]);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Data of another run belongs to that run, wherever it is nested. */
function contextOf(owner: string, value: Fields, around: Context): Context {
  const runId = RUNS.has(owner) ? value.id : value.runId;
  const workflow = typeof value.workflow === "string" ? value.workflow : null;
  const { typed } = around;
  if (typeof runId === "string" && UUID.test(runId))
    return { runId: runId.toLowerCase(), workflow: workflow ?? around.workflow, typed };
  return workflow === null ? around : { runId: null, workflow, typed };
}

/**
 * A picked value as it is shown, without parts that the requested path would not have found there: a hidden key does
 * not exist.
 */
const pickedAsShown = (shown: Json, path: string): Json => shellOf(shown, parseValuePath(path)?.keys ?? []);
