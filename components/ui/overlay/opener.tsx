"use client";

import { Slot } from "radix-ui";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import type { Later } from "../later";

/** What draws the button's part once its code is there. */
export interface Opened {
  trigger: ReactNode;
  /** It was pressed before its code had loaded. */
  defaultOpen: boolean;
}

interface OpenerProps<Code> {
  /** One button. */
  trigger: ReactNode;
  opens: "menu" | "dialog";
  code: Later<Code>;
  onPress?: () => void;
  children: (code: Code, opened: Opened) => ReactNode;
}

/** A button whose menu or window is loaded later: it renders and responds at once, and the focus stays on it. */
export function Opener<Code>({ trigger, opens, code, onPress, children }: OpenerProps<Code>) {
  const loaded = code.useCode();
  const button = useRef<HTMLElement>(null);
  const pressed = useRef(false);
  const focused = useRef(false);
  useLayoutEffect(() => {
    if (loaded && focused.current) button.current?.focus();
  }, [loaded]);
  const held = <Slot.Root ref={button}>{trigger}</Slot.Root>;
  if (loaded) return children(loaded, { trigger: held, defaultOpen: pressed.current });
  return (
    <Slot.Root
      aria-haspopup={opens}
      aria-expanded={false}
      onFocus={() => {
        focused.current = true;
      }}
      onBlur={() => {
        focused.current = false;
      }}
      onClick={() => {
        pressed.current = true;
        onPress?.();
        code.load();
      }}
    >
      {held}
    </Slot.Root>
  );
}
