import type { ReactNode } from "react";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Stays in sight below what scrolls. */
  footer?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}
