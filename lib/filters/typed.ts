import type { RunFilter } from "../api/contract/requests";
import { type Fault, parseFilter } from "./language";
import { toRunFilter } from "./run-filter";
import { withTerm } from "./terms";

const NOTHING = {
  status: [],
  attention: [],
  workflow: [],
  step: [],
  error: [],
  version: [],
  tag: [],
  took: [],
  where: [],
  not: [],
  since: null,
  until: null,
} satisfies Parameters<typeof withTerm>[0];

/** A filter as it was typed, and what of it cannot be read. @param zone of times that name none */
export function typedFilter(written: string, zone: string): { filter: RunFilter; faults: Fault[] } {
  const { terms, text, faults } = parseFilter(written, zone);
  let url: Parameters<typeof withTerm>[0] = NOTHING;
  for (const term of terms) url = { ...url, ...withTerm(url, term) };
  return { filter: toRunFilter({ ...url, q: text }), faults };
}
