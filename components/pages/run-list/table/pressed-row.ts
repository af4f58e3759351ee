import type { RunListItem } from "@/lib/api/contract/run";
import type { RunColumn } from "../columns/run-column";

/** A row that was pressed with the other button or the menu key, and the cell at that place. */
export interface PressedRow {
  run: RunListItem;
  column: RunColumn | undefined;
  at: { x: number; y: number };
}
