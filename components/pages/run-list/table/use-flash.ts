"use client";

import { useEffect, useRef } from "react";
import { lookOfRun } from "@/components/domain/run/run-looks";
import type { RunListItem } from "@/lib/api/contract/run";

const FLASH_MS = 1_200;

/** The changes of a run worth highlighting: its status, not each of its steps. */
export const flashOf = (run: RunListItem): string => `${lookOfRun(run).word} ${run.generation}`;

/** Highlights a change once; not under reduced motion. */
export function useFlash<Of extends HTMLElement>(signal: string) {
  const element = useRef<Of>(null);
  const seen = useRef(signal);
  useEffect(() => {
    if (seen.current === signal) return;
    seen.current = signal;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    element.current?.animate?.([{ backgroundColor: "var(--accent-soft)" }, {}], {
      duration: FLASH_MS,
      easing: "ease-out",
    });
  }, [signal]);
  return element;
}
