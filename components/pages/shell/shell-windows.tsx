"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, startTransition, useMemo, useState } from "react";
import { type Hotkeys, useHotkeys } from "@/components/parts/keys/use-hotkeys";
import { PAGES } from "@/components/parts/page/destinations";
import { type ShellWindow, WindowContext } from "@/components/parts/page/open-window";
import { later } from "@/components/ui/later";

const KeysDialog = later(() => import("./keys-dialog").then((part) => part.KeysDialog));
const Palette = later(() => import("./palette/palette").then((part) => part.Palette));

/** The palette and the sheet of keys, and the keys that work on every page. */
export function ShellWindows({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<ShellWindow | null>(null);
  const router = useRouter();
  const goTos = useMemo<Hotkeys>(
    () => Object.fromEntries(PAGES.map(({ key, href }) => [`g ${key}`, () => router.push(href)])),
    [router],
  );
  // Rendered in chunks: a page that changes constantly still has to respond to the next key.
  const show = (window: ShellWindow) => startTransition(() => setOpen(window));
  useHotkeys(
    {
      "Mod+k": () => show("palette"),
      "/": () => show("palette"),
      "?": () => show("keys"),
      ...goTos,
    },
    "everywhere",
  );
  return (
    <WindowContext value={setOpen}>
      {children}
      {open === "palette" && <Palette onClose={() => setOpen(null)} />}
      {open === "keys" && <KeysDialog onClose={() => setOpen(null)} />}
    </WindowContext>
  );
}
