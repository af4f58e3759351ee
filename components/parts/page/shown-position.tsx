"use client";

import { useEffect } from "react";
import { noteInBrowser } from "@/lib/api/client/sight";

/** Draws nothing: what the server has drawn from a standby, the browser's reads must not show older. */
export function ShownPosition({ position }: { position: string | null }) {
  useEffect(() => noteInBrowser(position), [position]);
  return null;
}
