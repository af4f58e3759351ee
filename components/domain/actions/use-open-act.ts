"use client";

import { showWindow, useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import { RESOLUTIONS } from "@/lib/actions/settle";
import { OPERATOR_ACTS } from "@/lib/engine/runs/operator-acts";
import type { OpenAct } from "./open-act";

/**
 * The action whose window is open according to the URL; for the component that draws the window.
 * @returns of: the item of a list with several runs, as {@link showAct} got it
 */
export function useOpenAct() {
  const { open, of, on, as, close } = useDialogUrl(OPERATOR_ACTS);
  return { open: open === null ? null : toOpenAct(open, on, as), of, close };
}

/** @param of a list: of which run, and maybe which step. See ListActWindow. */
export const showAct = (
  { act, step, settleAs, markAs, choice, event }: OpenAct,
  of?: { runId: string; step?: string },
) =>
  showWindow(
    act,
    { on: step, as: settleAs ?? markAs ?? choice ?? event },
    of ? [of.runId, of.step].filter(Boolean).join(" ") : null,
  );

const MARKS = ["compensated", "waived"] as const;

/** Parameters in the URL beside the action are of the action's own kind, or ignored. */
function toOpenAct(act: OpenAct["act"], on: string | null, as: string | null): OpenAct {
  const settleAs = act === "settle" && RESOLUTIONS.find((one) => one === as);
  const markAs = act === "mark_compensated" && MARKS.find((one) => one === as);
  return {
    act,
    ...(on !== null && { step: on }),
    ...(settleAs && { settleAs }),
    ...(markAs && { markAs }),
    ...(act === "answer" && as !== null && { choice: as }),
    ...(act === "send_event" && as !== null && { event: as }),
  };
}
