"use client";

import { ArrowDownUp } from "lucide-react";
import { canSortByEnd } from "@/components/domain/run-filter/run-url";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/overlay/menu";
import { RUN_SORTS, type RunSort } from "@/lib/engine/runs/run";
import type { RunUrl } from "../address/use-run-url";

const WORDS: Record<RunSort, string> = {
  newest: "Newest first",
  oldest: "Oldest first",
  ended: "Latest end first",
};

/** The order of the list; one that the filter does not allow says what would. */
export function SortMenu({ sort, filter, setUrl }: Pick<RunUrl, "sort" | "filter" | "setUrl">) {
  const closed = (one: RunSort) => one === "ended" && !canSortByEnd(filter);
  return (
    <Menu
      align="start"
      trigger={
        <Button variant="ghost" aria-label={`Order: ${WORDS[sort]}`} className="max-md:w-11 max-md:px-0">
          <ArrowDownUp aria-hidden className="size-3.5" />
          <span className="max-lg:hidden">{WORDS[sort]}</span>
        </Button>
      }
    >
      {RUN_SORTS.map((one) => (
        <MenuItem
          key={one}
          onSelect={() => setUrl({ sort: one === "newest" ? null : one })}
          closed={closed(one)}
          {...(closed(one) && { note: "Filter by status first: failed, cancelled or compensated." })}
        >
          {WORDS[one]}
        </MenuItem>
      ))}
    </Menu>
  );
}
