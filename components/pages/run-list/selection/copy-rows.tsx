"use client";

import { ClipboardCopy } from "lucide-react";
import { tell, tellOtherwise } from "@/components/parts/toasts/tell";
import { IconButton } from "@/components/ui/icon-button";
import type { RunListItem } from "@/lib/api/contract/run";
import { plural } from "@/lib/format";
import type { RunColumn } from "../columns/run-column";
import { copyText, runsAsCsv } from "./copy-text";
import type { RunSelection } from "./use-run-selection";

interface CopyRowsProps {
  runs: readonly RunListItem[];
  columns: readonly RunColumn[];
  selection: RunSelection;
}

/** The rows that are chosen, or else all that are loaded, as a spreadsheet takes them. */
export function CopyRows({ runs, columns, selection }: CopyRowsProps) {
  const chosen = selection.ids.size > 0 ? runs.filter(({ id }) => selection.ids.has(id)) : runs;
  const copy = async () => {
    const done = await copyText(runsAsCsv(chosen, columns));
    if (done) tell(`Copied ${plural(chosen.length, "row")} as CSV.`);
    else tellOtherwise("The browser does not allow pages to copy.");
  };
  return (
    <IconButton
      label={`Copy ${selection.ids.size > 0 ? "the selected rows" : "the rows that are loaded"} as CSV`}
      className="max-md:hidden"
      disabled={chosen.length === 0}
      onClick={() => void copy()}
    >
      <ClipboardCopy aria-hidden className="size-3.5" />
    </IconButton>
  );
}
