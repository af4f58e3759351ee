"use client";

import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { useHotkeys } from "@/components/parts/keys/use-hotkeys";
import type { DrawnStep } from "@/lib/api/contract/steps";
import { mainOf, useOneTabStop } from "./use-one-tab-stop";

interface Rows {
  area: RefObject<HTMLElement | null>;
  /** What each row chooses; null for one that is no step. */
  steps: readonly (DrawnStep | null)[];
  chosen: { name: string; generation: number } | null;
  /** The name of the step that is brought into sight. */
  opensAt: string | null;
  onChoose: (step: DrawnStep) => void;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
}

/** J and K go through the steps and choose; the arrows go through rows and bars, and Enter, being a press, chooses. */
export function useRowKeys({ area, steps, chosen, opensAt, onChoose, virtualizer }: Rows): void {
  const at = (index: number) => area.current?.querySelector(`[data-index="${index}"]`);
  /** Brings a row into sight, and its button into focus: at once, as the next key may come before the next frame does. */
  const show = (index: number) => {
    virtualizer.scrollToIndex(index);
    const focus = () => mainOf(at(index))?.focus({ preventScroll: true });
    if (at(index)) focus();
    else requestAnimationFrame(focus);
  };
  const choose = (by: 1 | -1) => {
    const before = steps.findIndex((step) => step?.name === chosen?.name && step?.generation === chosen?.generation);
    const from = before < 0 && by < 0 ? steps.length : before;
    for (let index = from + by; index >= 0 && index < steps.length; index += by) {
      const step = steps[index];
      if (!step) continue;
      onChoose(step);
      return show(index);
    }
  };
  useOpensAt(steps, chosen, opensAt, virtualizer);
  useOneTabStop(area);
  useHotkeys({ j: () => choose(1), k: () => choose(-1) });

  /** In sight, and nothing in it takes the focus: such as the line that says which results were kept. */
  const hasNothing = (index: number) => {
    const row = at(index);
    return row !== null && row !== undefined && mainOf(row) === null;
  };

  const onArrow = useEffectEvent((event: KeyboardEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-index]") : null;
    const arrow = ARROWS[event.key];
    if (!row || !arrow || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (arrow === "first" || arrow === "last") return show(arrow === "first" ? 0 : steps.length - 1);
    if (arrow.bars) return moveBar(row, arrow.by);
    let index = Number(row.dataset.index) + arrow.by;
    while (hasNothing(index)) index += arrow.by;
    if (index >= 0 && index < steps.length) show(index);
  });
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const listen = (event: KeyboardEvent) => onArrow(event);
    element.addEventListener("keydown", listen);
    return () => element.removeEventListener("keydown", listen);
  }, [area]);
}

/** What a person does to look elsewhere. */
const MOVES = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/**
 * The step that the page opens at is scrolled into view, or when its row arrives with a later page; so is one that a link on the page
 * leads to. It is kept in view while rows arrive above it, until somebody does something. Afterwards nothing jumps.
 */
function useOpensAt(
  steps: Rows["steps"],
  chosen: Rows["chosen"],
  opensAt: string | null,
  virtualizer: Rows["virtualizer"],
): void {
  const shown = useRef<{ step: string; at: number } | null>(null);
  const left = useRef(false);
  const { scrollElement } = virtualizer;
  useEffect(() => {
    const leave = () => {
      left.current = true;
    };
    for (const move of MOVES) addEventListener(move, leave, { passive: true });
    return () => {
      for (const move of MOVES) removeEventListener(move, leave);
    };
  }, []);
  useEffect(() => {
    const isNew = shown.current?.step !== opensAt;
    if (opensAt === null || !scrollElement || (!isNew && left.current)) return;
    const at = steps.findIndex((step) =>
      chosen
        ? step?.name === chosen.name && step.generation === chosen.generation
        : step?.name === opensAt && step?.supersededBy === null,
    );
    if (at < 0 || (!isNew && shown.current?.at === at)) return;
    // What somebody pressed is at a place that they know; what the page opens at is best seen with what is around it.
    const align = left.current ? "auto" : "center";
    if (isNew) left.current = false;
    shown.current = { step: opensAt, at };
    virtualizer.scrollToIndex(at, { align });
  }, [steps, chosen, opensAt, virtualizer, scrollElement]);
}

const ARROWS: Record<string, { by: 1 | -1; bars: boolean } | "first" | "last"> = {
  Home: "first",
  End: "last",
  ArrowDown: { by: 1, bars: false },
  ArrowUp: { by: -1, bars: false },
  ArrowRight: { by: 1, bars: true },
  ArrowLeft: { by: -1, bars: true },
};

/** From the row to its first or last bar, from bar to bar and to what lies beside them, and back to the row past either end. */
function moveBar(row: HTMLElement, by: 1 | -1): void {
  const bars = [...row.querySelectorAll<HTMLElement>("[data-bar], [data-mark]")];
  const at = bars.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (by > 0 ? 0 : bars.length - 1) : at + by;
  (bars[next] ?? mainOf(row))?.focus({ preventScroll: true });
}
