import { stepPattern } from "../steps/step-pattern";

/** A step as runs of one version had it. */
export interface SeenStep {
  name: string;
  kind: string;
  effect: string;
  max_attempts: number;
  /** Null: it declares no compensation. */
  compensation_mode: string | null;
  /** It declares how to look up an unknown outcome. */
  can_ask: boolean;
}

/** What a version of a workflow declares besides its steps, as it was registered. */
export interface DeclaredVersion {
  input_schema: unknown;
  limits: Record<string, unknown> | null;
  /** Milliseconds by outcome. */
  retention: Record<string, number> | null;
  masked: readonly string[];
  four_eyes: readonly string[];
  events: readonly string[];
}

/** Null: there was, or is, none. */
export interface OptionChange {
  option: string;
  before: string | null;
  after: string | null;
}

export interface StepChange {
  /** Without the numbers of a loop. */
  step: string;
  change: "added" | "removed" | "changed";
  /** Of a changed step; of an added or removed one, all that it declares. */
  options: OptionChange[];
}

const DAY_MS = 86_400_000;

/** Added, removed and changed steps; those that are the same are left out. In the order of the later version, then of the earlier one. */
export function stepChanges(before: readonly SeenStep[], after: readonly SeenStep[]): StepChange[] {
  const [earlier, later] = [byPattern(before), byPattern(after)];
  return [...new Set([...later.keys(), ...earlier.keys()])].flatMap((step): StepChange[] => {
    const [old, now] = [earlier.get(step), later.get(step)];
    const options = changesOf(old ? optionsOf(old) : {}, now ? optionsOf(now) : {});
    if (old && now) return options.length > 0 ? [{ step, change: "changed", options }] : [];
    return [{ step, change: now ? "added" : "removed", options }];
  });
}

/** The last of a loop speaks for all of it. */
const byPattern = (steps: readonly SeenStep[]) => new Map(steps.map((step) => [stepPattern(step.name), step]));

function optionsOf({ kind, effect, max_attempts, compensation_mode, can_ask }: SeenStep): Record<string, string> {
  return {
    kind,
    // Waits and children have no body that could have one.
    ...(["step", "transaction"].includes(kind) && { effect, attempts: String(max_attempts) }),
    ...(compensation_mode !== null && { compensation: compensation_mode }),
    ...(can_ask && { reconcile: "declared" }),
  };
}

/** Of limits, retention, masked fields, actions that take a second person, events and the input's fields. */
export function declaredChanges(before: DeclaredVersion, after: DeclaredVersion): OptionChange[] {
  return changesOf(declaredOf(before), declaredOf(after));
}

function declaredOf(version: DeclaredVersion): Record<string, string> {
  const { limits, retention, masked, four_eyes, events, input_schema } = version;
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(limits ?? {}))
    if (value !== null && value !== false) texts[`limit ${name}`] = textOf(value);
  for (const [outcome, ms] of Object.entries(retention ?? {}))
    texts[`${outcome.replace(/Ms$/, "")} runs are kept`] = `${Math.round((ms / DAY_MS) * 100) / 100} days`;
  for (const path of masked) texts[`masked field ${path}`] = "yes";
  for (const act of four_eyes) texts[`second person for ${act}`] = "yes";
  for (const event of events) texts[`event ${event}`] = "yes";
  return { ...texts, ...inputOf(input_schema) };
}

const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

interface ObjectSchema {
  properties?: Record<string, { type?: unknown } | boolean>;
  required?: readonly string[];
}

function inputOf(schema: unknown): Record<string, string> {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema;
  return Object.fromEntries(
    Object.entries(properties).map(([field, of]) => {
      const type = typeof of === "object" && of.type !== undefined ? textOf(of.type) : "any";
      return [`input field ${field}`, required.includes(field) ? `${type}, required` : type];
    }),
  );
}

function changesOf(before: Record<string, string>, after: Record<string, string>): OptionChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((option) => ({ option, before: before[option] ?? null, after: after[option] ?? null }))
    .filter((change) => change.before !== change.after);
}
