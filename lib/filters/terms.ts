import { isQuestionField, readQuestion } from "../engine/runs/run-question";
import { SINGLE } from "./fields";
import { readLeftOut, type Term } from "./language";
import type { RunUrlFilter } from "./run-filter";

/** The parts of the address that hold the filter's terms. */
type TermParts = Required<Omit<RunUrlFilter, "q" | "problem">>;

const LISTS = ["status", "attention", "workflow", "step", "error", "version", "took"] as const;

/** What the address filters by, as the bar shows it. */
export function termsOf(url: TermParts): Term[] {
  const term = (field: Term["field"], value: string): Term => ({ field, value, not: false });
  const single = SINGLE.flatMap((field) => {
    const value = url[field as "since" | "until"];
    return value ? [term(field as "since" | "until", value)] : [];
  });
  return [
    ...LISTS.flatMap((field) => (url[field] as string[]).map((value) => term(field, value))),
    ...url.tag.map((written) => tagTerm(written)),
    ...url.where.map(questionTerm),
    ...single,
    ...url.not.map((written) => readLeftOut(written)),
  ].filter((one): one is Term => one !== null && "field" in one);
}

/** The URL parameters with one term more; it replaces what it contradicts. */
export function withTerm(url: TermParts, term: Term): Partial<TermParts> {
  const { field, value, not } = term;
  if (SINGLE.includes(field)) return { [field]: value };
  const opposite = withoutTerm(url, { ...term, not: !not });
  const part = partOf(term);
  const before = ((opposite[part] ?? url[part]) as string[]).filter((one) => one !== writtenIn(term));
  const kept = before.filter((one) => !bothBound(one, term));
  return { ...opposite, [part]: [...kept, writtenIn(term)] } as Partial<TermParts>;
}

/** Of two bounds of one thing in one direction the later one counts. */
function bothBound(written: string, { field, value }: Term): boolean {
  if (field === "took") return written[0] === value[0];
  const other = isQuestionField(field) && field !== "did" ? questionTerm(written) : null;
  return other?.field === field && directionOf(other.value) === directionOf(value);
}

const directionOf = (value: string) => /^[<>]?/.exec(value)?.[0];

export function withoutTerm(url: TermParts, term: Term): Partial<TermParts> {
  if (SINGLE.includes(term.field)) return { [term.field]: null };
  const part = partOf(term);
  const kept = (url[part] as string[]).filter((one) => one !== writtenIn(term));
  return kept.length === (url[part] as string[]).length ? {} : ({ [part]: kept } as Partial<TermParts>);
}

type ListPart = Exclude<keyof TermParts, "since" | "until">;

const partOf = ({ field, not }: Term): ListPart =>
  isQuestionField(field) ? "where" : not ? "not" : field.startsWith("tag.") ? "tag" : (field as (typeof LISTS)[number]);

const writtenIn = ({ field, value, not }: Term): string =>
  isQuestionField(field)
    ? `${not ? "-" : ""}${field}:${value}`
    : not
      ? `${field}:${value}`
      : field.startsWith("tag.")
        ? `${field.slice("tag.".length)}:${value}`
        : value;

/** A question as the address has it: like a term, without quotes. */
function questionTerm(written: string): Term | null {
  const read = readQuestion(written);
  return read === null || "says" in read
    ? null
    : { field: read.field as Term["field"], value: read.value, not: read.not };
}

const tagTerm = (written: string): Term | null => {
  const [, name, value] = /^([^:]+):(.+)$/s.exec(written) ?? [];
  return name === undefined || value === undefined ? null : { field: `tag.${name}`, value, not: false };
};
