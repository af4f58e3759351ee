"use client";

import { OPERATOR_ACTS, RESOLUTIONS } from "@/lib/engine/operator-acts";
import { useDialogUrl } from "../ui/use-dialog-url";
import type { OpenAct } from "./open-act";

/** The act on a run whose window is open, as the address says. @param of the thing of a list, where there are several runs */
export function useOpenAct(of?: string) {
  const { open, on, as, show, close } = useDialogUrl(OPERATOR_ACTS, of);
  return {
    open: open === null ? null : toOpenAct(open, on, as),
    show: ({ act, step, settleAs, markAs, choice, event }: OpenAct) =>
      show(act, { on: step, as: settleAs ?? markAs ?? choice ?? event }),
    close,
  };
}

const MARKS = ["compensated", "waived"] as const;

/** What the address says beside the act is of the act's own kind, or nothing. */
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
