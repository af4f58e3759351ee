import type { ReactNode } from "react";

export interface PopoverProps {
  trigger: ReactNode;
  /** For who cannot see where it stands. */
  label: string;
  children: ReactNode;
  align?: "start" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}
