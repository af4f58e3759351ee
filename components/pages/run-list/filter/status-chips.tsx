"use client";

import { countWords, type RunCount, shortCountText } from "@/components/domain/run/count-words";
import { ATTENTION_LOOKS, RUN_LOOKS } from "@/components/domain/run/run-looks";
import type { Look } from "@/components/parts/status/look";
import { StatusLabel } from "@/components/parts/status/status-label";
import { ChipButton } from "@/components/ui/chip-button";
import { ScrollRow } from "@/components/ui/layout/scroll-row";
import type { RunCountsResponse } from "@/lib/api/contract/responses";
import type { Attention, RunStatus } from "@/lib/engine/runs/run";
import type { RunUrl } from "../address/use-run-url";

interface Chip extends RunCount {
  id: string;
  look: Look;
  on: boolean;
  always: boolean;
  choose: () => void;
}

/** Shorter than the words of a row, so that all of them fit on one line of a usual screen. */
const SHORT_WORDS: Readonly<Record<string, string>> = { outcome_unknown: "Unknown", compensation_owed: "Compensation" };

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

/** How many runs have each status; a click shows only those, a second click all again. */
export function StatusChips({ url, setUrl, counts }: StatusChipsProps) {
  const not = url.not.filter((one) => !one.startsWith("status:"));
  const attention = ATTENTION_ORDER.map((value): Chip => {
    const on = url.attention.includes(value);
    const choose = () => setUrl({ attention: on ? null : [value], status: null, not });
    return {
      id: value,
      look: ATTENTION_LOOKS[value],
      count: counts?.byAttention[value] ?? 0,
      partial: counts?.partial.byAttention.includes(value) ?? false,
      on,
      always: false,
      choose,
    };
  });
  const statuses = STATUS_ORDER.map((value): Chip => {
    const on = url.status.includes(value) || (value === "failed" && url.attention.includes("failed"));
    const choose = () => setUrl({ status: on ? null : [value], attention: null, not });
    const always = ALWAYS.includes(value);
    const count = counts?.byStatus[value] ?? 0;
    const partial = counts?.partial.byStatus.includes(value) ?? false;
    return { id: value, look: RUN_LOOKS[value], count, partial, on, always, choose };
  });
  const chips = [...statuses.slice(0, 1), ...attention, ...statuses.slice(1)];
  const all = !chips.some(({ on }) => on) && not.length === url.not.length;
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Filter by status</legend>
      <ScrollRow className="gap-1 px-4 py-2.5 short:py-1 md:gap-0.5 md:px-6">
        <ChipButton on={all} onClick={() => setUrl({ status: null, attention: null, not })}>
          <span className="font-medium md:text-small">All</span>
        </ChipButton>
        {chips
          .filter(({ count, partial, on, always }) => count > 0 || partial || on || always)
          .map((chip) => (
            <ChipButton
              key={chip.id}
              on={chip.on}
              onClick={chip.choose}
              title={counts && countWords(chip.look.word, chip)}
            >
              <StatusLabel look={inShort(chip)} className="font-normal md:text-small" />
              <span className="font-medium md:text-small">{counts ? shortCountText(chip) : "–"}</span>
            </ChipButton>
          ))}
      </ScrollRow>
    </fieldset>
  );
}

/** A chip counts many runs, none of which it is executing: it does not spin. None is not red. */
const inShort = ({ id, look, count, partial }: Chip): Look => ({
  ...look,
  tone: count > 0 || partial ? look.tone : "quiet",
  word: SHORT_WORDS[id] ?? look.word,
  shape: look.shape === "spinner" ? "running" : look.shape,
});
