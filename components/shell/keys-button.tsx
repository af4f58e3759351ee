"use client";

import { Button } from "../ui/button";
import { KeyboardKey } from "../ui/text/keyboard-key";
import { useOpenWindow } from "./open-window";

export function KeysButton() {
  const open = useOpenWindow();
  return (
    <Button variant="ghost" size="square" aria-label="Keyboard keys" onClick={() => open("keys")}>
      <KeyboardKey>?</KeyboardKey>
    </Button>
  );
}
