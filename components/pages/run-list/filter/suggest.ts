import type { RunListItem } from "@/lib/api/contract/run";
import { ATTENTIONS, RUN_STATUSES } from "@/lib/engine/runs/run";
import { FIELDS, type Field, NEGATABLE, noteOf, PREFIXES } from "@/lib/filters/fields";
import { parseFilter, printTerm, readTerm, type Term } from "@/lib/filters/language";

/** What the page knows by now of names that a filter may have. */
interface KnownNames {
  workflows: readonly string[];
  steps: readonly string[];
  errors: readonly string[];
  versions: readonly string[];
  /** Values by name. */
  tags: ReadonlyMap<string, readonly string[]>;
  /** Of values in inputs and outputs, such as `input.amountCents`. */
  paths: readonly string[];
}

/** A chosen term moves to the filter; a beginning stays in the field, to be continued. */
export type Suggestion = { text: string; note: string } & ({ term: Term } | { begins: string });

const MOST = 9;
const TIMES = ["15m", "1h", "6h", "24h", "7d", "30d"];
const LENGTHS = [">10s", ">1m", ">5m", ">1h", "<1s"];

/** What the word that is being written may become; nothing for an id or a key. */
export function suggestionsFor(word: string, known: KnownNames, zone = "UTC"): Suggestion[] {
  const [, minus = "", name = "", colon = "", written = ""] =
    /^(-?)((?:tag\.|took\.|input\.|output\.)?[^:"]*)(:?)"?(.*?)"?$/s.exec(word) ?? [];
  if (colon !== "") return valuesFor({ minus, name, written }, known, zone);
  const names = minus === "" ? [...FIELDS, ...namesAfter(name, known)] : NEGATABLE;
  return names
    .filter((field) => field.toLowerCase().startsWith(name.toLowerCase()))
    .slice(0, name === "" ? FIELDS.length : MOST)
    .map((field) => ({ field, end: PREFIXES.includes(field as (typeof PREFIXES)[number]) ? "" : ":" }))
    .map(({ field, end }) => ({
      text: `${minus}${field}${end}`,
      note: noteOf(field),
      begins: `${minus}${field}${end}`,
    }));
}

/** Fields with a name: those that are known, once their beginning is written. */
function namesAfter(name: string, { tags, steps, paths }: KnownNames): string[] {
  if (!name.includes(".")) return [...[...tags.keys()].map((tag) => `tag.${tag}`), "took.", "input.", "output."];
  return [...[...tags.keys()].map((tag) => `tag.${tag}`), ...steps.map((step) => `took.${step}`), ...paths];
}

function valuesFor(
  { minus, name, written }: Record<"minus" | "name" | "written", string>,
  known: KnownNames,
  zone: string,
): Suggestion[] {
  const sought = written.toLowerCase();
  const found = valuesOf(name, known).filter((value) => value.toLowerCase().includes(sought));
  // Prefix matches come before other matches.
  const inOrder = found.toSorted((one, other) => rank(one, sought) - rank(other, sought));
  const own = written === "" || found.includes(written) ? [] : [written];
  return [...own, ...inOrder].slice(0, MOST).flatMap((value) => {
    const term = readTerm(`${minus}${name}:${quoted(value)}`, zone);
    return term === null || "says" in term ? [] : [{ text: printTerm(term), note: noteOfValue(term), term }];
  });
}

const quoted = (value: string) => `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
const rank = (value: string, sought: string) => (value.toLowerCase().startsWith(sought) ? 0 : 1);

const noteOfValue = ({ field, not }: Term) =>
  not ? "excluded" : field === "since" ? "until now" : field === "until" ? "ago and earlier" : "";

function valuesOf(name: string, known: KnownNames): readonly string[] {
  if (name.startsWith("tag.")) return known.tags.get(name.slice("tag.".length)) ?? [];
  if (name.startsWith("took.")) return LENGTHS;
  const values: Record<Field, readonly string[]> = {
    status: RUN_STATUSES,
    attention: ATTENTIONS,
    workflow: known.workflows,
    step: known.steps,
    error: known.errors,
    version: known.versions,
    since: TIMES,
    until: TIMES,
    took: LENGTHS,
    did: known.steps,
    "failed-attempts": [">1", ">3", ">10"],
  };
  return values[name.toLowerCase() as Field] ?? [];
}

/** The text before the current word, and the word: a quoted one continues across spaces. */
export function splitLast(draft: string): { head: string; word: string } {
  const at = /(?:"(?:[^"\\]|\\.)*(?:"|$)|[^\s"])+$/.exec(draft)?.index ?? draft.length;
  return { head: draft.slice(0, at), word: draft.slice(at) };
}

/** Whether the word is a term, or is becoming one: then it is not searched as text. */
export const isOfTheLanguage = (word: string): boolean =>
  parseFilter(word).text === "" || /^-?(tag|took|input|output)\.[^:]*$/.test(word);

interface Sources {
  workflows: readonly string[];
  runs: readonly RunListItem[];
  problems: readonly { step: string | null; errorName: string }[];
}

/** Names in what is loaded, each once, in order of the alphabet; what is masked is no name. */
export function namesIn({ workflows, runs, problems }: Sources): KnownNames {
  const tags = new Map<string, Set<string>>();
  for (const run of runs)
    for (const [name, value] of Object.entries(run.tags)) {
      const values = tags.get(name) ?? new Set();
      if (typeof value === "string" && !value.includes("•••")) values.add(value);
      tags.set(name, values);
    }
  const standsAt = (run: RunListItem) => [run.failedStep, run.waitingFor?.step, ...run.stepBar.map(({ name }) => name)];
  return {
    workflows: sorted(workflows),
    steps: sorted([...problems.map(({ step }) => step), ...runs.flatMap(standsAt)]),
    errors: sorted([
      ...problems.map(({ errorName }) => errorName),
      ...runs.flatMap(({ error }) => (error ? [error.code ?? error.name] : [])),
    ]),
    versions: sorted(runs.map(({ codeVersion }) => String(codeVersion))).toSorted(
      (one, other) => Number(other) - Number(one),
    ),
    paths: sorted(runs.flatMap(({ input, output }) => [...pathsIn("input", input), ...pathsIn("output", output)])),
    tags: new Map([...tags].map(([name, values]) => [name, [...values].slice(0, 50)])),
  };
}

/** Texts and numbers at the top, and one level below; what is masked or left out has a type in their place. */
const pathsIn = (path: string, value: unknown, depth = 2): string[] =>
  typeof value !== "object" || value === null || Array.isArray(value) || "$type" in value
    ? []
    : Object.entries(value).flatMap(([key, item]) => {
        if (!/^[\w-]+$/.test(key)) return [];
        if (typeof item === "string" || typeof item === "number") return [`${path}.${key}`];
        return depth > 1 ? pathsIn(`${path}.${key}`, item, depth - 1) : [];
      });

const sorted = (names: readonly (string | null | undefined)[]): string[] =>
  [...new Set(names.filter((name): name is string => Boolean(name)))].toSorted();
