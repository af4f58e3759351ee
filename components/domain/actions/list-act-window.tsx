"use client";

import { OpenActDialogById } from "./act-dialogs-later";
import { useOpenAct } from "./use-open-act";

/**
 * The dialog of an action on a run of a list. It belongs to the page, not to a row: a row disappears as soon as its run
 * has moved on, while the user may still be typing.
 */
export function ListActWindow() {
  const { open, of, close } = useOpenAct();
  const runId = of?.split(" ")[0];
  return open && runId ? <OpenActDialogById key={of} runId={runId} open={open} onClose={close} /> : null;
}
