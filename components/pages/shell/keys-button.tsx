"use client";

import { useOpenWindow } from "@/components/parts/page/open-window";
import { Button } from "@/components/ui/button";
import { KeyboardKey } from "@/components/ui/text/keyboard-key";

export function KeysButton() {
  const open = useOpenWindow();
  return (
    <Button variant="ghost" size="square" aria-label="Keyboard keys" onClick={() => open("keys")}>
      <KeyboardKey>?</KeyboardKey>
    </Button>
  );
}
