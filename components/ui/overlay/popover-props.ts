import type { ReactNode } from "react";

export interface PopoverProps {
  trigger: ReactNode;
  /** For screen readers. */
  label: string;
  children: ReactNode;
  align?: "start" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}
