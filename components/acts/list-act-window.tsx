"use client";

import { OpenActDialogById } from "./act-dialogs-later";
import { useOpenAct } from "./use-open-act";

/**
 * The window of an act on a run of a list. It is the page's, once, and not a row's: a row goes as soon as its run has moved on,
 * while somebody may still write.
 */
export function ListActWindow() {
  const { open, of, close } = useOpenAct();
  const runId = of?.split(" ")[0];
  return open && runId ? <OpenActDialogById key={of} runId={runId} open={open} onClose={close} /> : null;
}
