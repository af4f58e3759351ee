import type { RunFilter } from "../../lib/api/contract/requests";
import { parseFilter } from "../../lib/filters/language";
import { toRunFilter } from "../../lib/filters/run-filter";
import { withTerm } from "../../lib/filters/terms";
import { UsageError } from "./stops";

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

/** A filter in the language of the console. Times without a zone are in this machine's. @throws UsageError */
export function filterOf(written: string): RunFilter {
  const { terms, text, faults } = parseFilter(written, Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (faults.length > 0) throw new UsageError(faults.map(({ written: term, says }) => `${term}: ${says}`).join("\n"));
  let url: Parameters<typeof withTerm>[0] = NOTHING;
  for (const term of terms) url = { ...url, ...withTerm(url, term) };
  return toRunFilter({ ...url, q: text });
}
