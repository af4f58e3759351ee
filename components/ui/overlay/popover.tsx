"use client";

import { Later } from "../later";
import { Opener } from "./opener";
import type { PopoverProps } from "./popover-props";

const part = new Later(() => import("./popover-part"));

/** A small window beside what opened it; the page behind it goes on. */
export function Popover({ trigger, ...props }: PopoverProps) {
  return (
    <Opener trigger={trigger} opens="dialog" code={part} onPress={() => props.onOpenChange?.(true)}>
      {(loaded, opened) => <loaded.PopoverPart {...props} {...opened} />}
    </Opener>
  );
}
