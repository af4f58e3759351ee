import type { RunFilter } from "../../lib/api/contract/requests";
import { typedFilter } from "../../lib/filters/typed";
import { UsageError } from "./stops";

/** A filter in the language of the console. Times without a zone are in this machine's. @throws UsageError */
export function filterOf(written: string): RunFilter {
  const { filter, faults } = typedFilter(written, Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (faults.length > 0) throw new UsageError(faults.map(({ written: term, says }) => `${term}: ${says}`).join("\n"));
  return filter;
}
