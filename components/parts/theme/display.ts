"use client";

import { useEffect } from "react";
import { useMediaQuery } from "@/components/ui/hooks/use-media-query";
import { useStored } from "@/components/ui/hooks/use-stored";

/** What a viewer may ask for beside light and dark; without a choice, what their system asks for. */
const ASKED = {
  contrast: { value: "more", query: "(prefers-contrast: more)" },
  motion: { value: "less", query: "(prefers-reduced-motion: reduce)" },
} as const;
type Display = keyof typeof ASKED;

const isAsked = (kept: string | null | undefined, ofSystem: boolean) => kept === "on" || (kept !== "off" && ofSystem);

/** `"system"`, or what this browser keeps. */
export function useDisplay(display: Display): ["system" | "on" | "off", (choice: "system" | "on" | "off") => void] {
  const [kept, keep] = useStored(`handrail.${display}`);
  return [kept === "on" || kept === "off" ? kept : "system", keep];
}

/** Passes the settings to the style sheet: app/globals.css has the rest. */
export function DisplayAttributes() {
  useAttribute("contrast");
  useAttribute("motion");
  return null;
}

function useAttribute(display: Display): void {
  const { value, query } = ASKED[display];
  const [kept] = useStored(`handrail.${display}`);
  const asked = isAsked(kept, useMediaQuery(query));
  useEffect(() => {
    document.documentElement.toggleAttribute(`data-${display}`, asked);
    if (asked) document.documentElement.setAttribute(`data-${display}`, value);
  }, [display, value, asked]);
}
