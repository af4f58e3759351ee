"use client";

import { COUNT_CAP } from "@/lib/api/contract/caps";
import type { RunCountsResponse } from "@/lib/api/contract/responses";
import type { Attention, RunStatus } from "@/lib/engine/run";
import { formatCount } from "@/lib/format";
import type { Look } from "../status/look";
import { ATTENTION_LOOKS, RUN_LOOKS } from "../status/run-looks";
import { StatusLabel } from "../status/status-label";
import { ChipButton } from "../ui/chip-button";
import type { RunUrl } from "./use-run-url";

type Chip = { id: string; look: Look; count: number; on: boolean; always: boolean; choose: () => void };

/** A failed run's attention is its status: it needs no second chip. */
const ATTENTION_ORDER = ["outcome_unknown", "compensation_owed", "approval"] as const satisfies Attention[];
const STATUS_ORDER = [
  "failed",
  "running",
  "waiting",
  "pending",
  "completed",
  "compensating",
  "compensated",
  "cancelled",
  "paused",
] as const satisfies RunStatus[];
/** Shown at zero as well, so that the row does not move with every change. */
const ALWAYS: readonly RunStatus[] = ["failed", "running", "waiting", "completed"];

interface StatusChipsProps extends Pick<RunUrl, "url" | "setUrl"> {
  counts: RunCountsResponse | undefined;
}

/** How many runs stand how; a click shows those alone, a second click all again. */
export function StatusChips({ url, setUrl, counts }: StatusChipsProps) {
  const attention = ATTENTION_ORDER.map((value): Chip => {
    const on = url.attention.includes(value);
    const choose = () => setUrl({ attention: on ? null : [value], status: null });
    return {
      id: value,
      look: ATTENTION_LOOKS[value],
      count: counts?.byAttention[value] ?? 0,
      on,
      always: false,
      choose,
    };
  });
  const statuses = STATUS_ORDER.map((value): Chip => {
    const on = url.status.includes(value) || (value === "failed" && url.attention.includes("failed"));
    const choose = () => setUrl({ status: on ? null : [value], attention: null });
    const always = ALWAYS.includes(value);
    return { id: value, look: RUN_LOOKS[value], count: counts?.byStatus[value] ?? 0, on, always, choose };
  });
  const chips = [...statuses.slice(0, 1), ...attention, ...statuses.slice(1)];
  const all = !chips.some(({ on }) => on);
  return (
    <fieldset className="scrollbar-none flex min-w-0 gap-1 px-4 py-2.5 max-md:overflow-x-auto md:flex-wrap md:px-6">
      <legend className="sr-only">Filter by status</legend>
      <ChipButton on={all} onClick={() => setUrl({ status: null, attention: null })}>
        <span className="font-medium">All</span>
      </ChipButton>
      {chips
        .filter(({ count, on, always }) => count > 0 || on || always)
        .map((chip) => (
          <ChipButton key={chip.id} on={chip.on} onClick={chip.choose}>
            <StatusLabel look={still(chip.look)} className="font-normal" />
            <span className="font-medium">{counts ? formatCount(chip.count, COUNT_CAP) : "–"}</span>
          </ChipButton>
        ))}
    </fieldset>
  );
}

/** A chip stands for many runs, none of which it is executing: it does not spin. */
const still = (look: Look): Look => (look.shape === "spinner" ? { ...look, shape: "running" } : look);
