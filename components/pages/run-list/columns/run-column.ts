import type { MouseEvent, ReactNode } from "react";
import type { RunListItem } from "@/lib/api/contract/run";
import type { RunSort } from "@/lib/engine/runs/run";

/** One column of the runs table: its header, its cells, and its text for copies. */
export interface RunColumn {
  id: string;
  name: string;
  /** In pixels. */
  size: number;
  /** Takes what room is left. */
  grows?: boolean;
  /** Numbers and times, which are compared by their ends. */
  right?: boolean;
  /** In the usual table alone, classes by the width of the list: from which it is shown, or up to which it is the last that is. */
  byWidth?: string;
  /** The orders of the list that follow this column: from its largest value down, and up. */
  sorts?: { descending: RunSort; ascending?: RunSort };
  cell: (run: RunListItem, link: RowLink) => ReactNode;
  /** The cell as text, whole: for the clipboard and for files. */
  text: (run: RunListItem) => string;
}

/** Opens the run: its address, and what a plain click does instead of following it. */
export interface RowLink {
  href: string;
  onClick: (event: MouseEvent) => void;
}
