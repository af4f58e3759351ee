"use client";

import type { ReactNode } from "react";
import { Button, type ButtonProps } from "./button";
import { Tooltip } from "./overlay/tooltip";

/** A button that is a picture; its name is read out, and shown on hover. */
export function IconButton({
  label,
  children,
  ...props
}: Omit<ButtonProps, "asChild"> & { label: string; children: ReactNode }) {
  return (
    <Tooltip text={label}>
      <Button variant="ghost" size="square" aria-label={label} {...props}>
        {children}
      </Button>
    </Tooltip>
  );
}
