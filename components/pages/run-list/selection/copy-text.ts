import type { RunListItem } from "@/lib/api/contract/run";
import { csvLine } from "@/lib/engine/values/csv";
import type { RunColumn } from "../columns/run-column";

/** False where the browser does not let a page do it. */
export const copyText = async (text: string): Promise<boolean> =>
  navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  ) ?? false;

/** The columns that are shown, and the run's id, by which each line is found again. */
export function runsAsCsv(runs: readonly RunListItem[], columns: readonly RunColumn[]): string {
  const all = columns.some(({ id }) => id === "id") ? columns : [...columns, RUN_ID];
  return [csvLine(all.map(({ name }) => name)), ...runs.map((run) => csvLine(all.map(({ text }) => text(run))))].join(
    "",
  );
}

const RUN_ID: Pick<RunColumn, "id" | "name" | "text"> = { id: "id", name: "Run id", text: ({ id }) => id };
