"use client";

import { useRef } from "react";
import { showAct } from "@/components/domain/actions/use-open-act";
import { useHotkeys } from "@/components/parts/keys/use-hotkeys";
import type { OperatorAct } from "@/lib/engine/runs/operator-acts";

/**
 * J and K go from row to row, Enter opens, and a letter begins an action on the row that has the focus: on its run
 * (`data-run`), or by the row's own button for that letter (`data-key`), where it is about many.
 */
export function useInboxKeys() {
  const list = useRef<HTMLUListElement>(null);
  const rows = () => [...(list.current?.children ?? [])].filter((row) => row.querySelector("a"));
  const at = () => rows().findIndex((row) => row.contains(document.activeElement));
  const move = (by: number) => rows()[Math.max(0, at() + by)]?.querySelector("a")?.focus();
  const act = (key: string, choose: (attention: string | undefined) => OperatorAct) => {
    const row = rows()[at()] as HTMLElement | undefined;
    if (row?.dataset.run) showAct({ act: choose(row.dataset.attention) }, { runId: row.dataset.run });
    else row?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click();
  };
  useHotkeys({
    j: () => move(1),
    k: () => move(-1),
    r: () => act("r", () => "rerun"),
    m: () => act("m", (attention) => (attention === "outcome_unknown" ? "settle" : "mark_compensated")),
    e: () => act("e", () => "start_again"),
    z: () => act("z", () => "snooze"),
  });
  return list;
}
