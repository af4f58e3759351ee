"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { DESTINATIONS } from "./destinations";
import { KeysDialog } from "./keys-dialog";
import { type ShellWindow, WindowContext } from "./open-window";
import { type Hotkeys, useHotkeys } from "./use-hotkeys";

const loadPalette = () => import("../palette/palette").then(({ Palette }) => Palette);
const Palette = dynamic(loadPalette, { ssr: false });

const SETTLED_MS = 1_000;

/** The palette and the sheet of keys, and the keys that work on every page. */
export function ShellWindows({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<ShellWindow | null>(null);
  const router = useRouter();
  const goTos = useMemo<Hotkeys>(
    () => Object.fromEntries(DESTINATIONS.map(({ key, href }) => [`g ${key}`, () => router.push(href)])),
    [router],
  );
  useHotkeys(
    {
      "Mod+k": () => setOpen("palette"),
      "/": () => setOpen("palette"),
      "?": () => setOpen("keys"),
      ...goTos,
    },
    "everywhere",
  );
  useEffect(() => {
    // Once the page has settled: whoever presses its keys goes on typing, and no letter may be lost meanwhile.
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), SETTLED_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <WindowContext value={setOpen}>
      {children}
      {open === "palette" && <Palette onClose={() => setOpen(null)} />}
      <KeysDialog open={open === "keys"} onOpenChange={(next) => setOpen(next ? "keys" : null)} />
    </WindowContext>
  );
}
