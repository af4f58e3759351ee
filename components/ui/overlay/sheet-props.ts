import type { ReactNode } from "react";

export interface SheetProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** A button or a link before the one that closes. */
  action?: ReactNode;
  children: ReactNode;
}
