"use client";

import { Columns3 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/form/segmented";
import { later } from "@/components/ui/later";
import { Popover } from "@/components/ui/overlay/popover";
import type { RunListItem } from "@/lib/api/contract/run";
import type { Density } from "./use-density";
import type { RunColumns } from "./use-run-columns";

const ColumnChoices = later(() => import("./column-choices").then((part) => part.ColumnChoices));

interface ColumnChooserProps {
  columns: RunColumns;
  runs: readonly RunListItem[];
  density: Density;
  onDensity: (density: Density) => void;
}

/** Which columns, in which order; any value of a run's input, output or tags can be one. */
export function ColumnChooser({ columns, runs, density, onDensity }: ColumnChooserProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label="Columns"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="ghost" aria-label="Columns" className="max-md:w-11 max-md:px-0">
          <Columns3 aria-hidden className="size-3.5" />
          <span className="max-lg:hidden">Columns</span>
        </Button>
      }
    >
      <ColumnChoices columns={columns} runs={runs} />
      <div className="flex items-center justify-between gap-2 border-line border-t px-3 py-2">
        <span className="max-md:hidden">
          <Segmented
            label="Height of the rows"
            value={density}
            onChange={onDensity}
            options={[
              { value: "comfortable", text: "Comfortable" },
              { value: "compact", text: "Compact" },
            ]}
          />
        </span>
        <span className="text-ink-3 text-small md:hidden">One line each on a card</span>
        <Button size="small" variant="ghost" disabled={columns.usual} onClick={columns.reset}>
          Reset
        </Button>
      </div>
    </Popover>
  );
}
