import type { ReactNode } from "react";
import { LiveIndicator } from "@/components/parts/live/live-indicator";
import { PaletteButton } from "./palette-button";

interface TopBarProps {
  /** The page's h1; leave it out where the page has its own. */
  title?: string;
  /** Replaces the title, such as a back link. */
  crumb?: ReactNode;
  actions?: ReactNode;
}

export function TopBar({ title, crumb, actions }: TopBarProps) {
  return (
    <header className="flex h-[52px] shrink-0 items-center gap-3 border-line border-b px-4 md:px-6 print:hidden">
      {title && <h1 className="truncate font-semibold text-title tracking-tight">{title}</h1>}
      {crumb}
      <span className="flex-1" />
      <PaletteButton />
      <LiveIndicator />
      {actions}
    </header>
  );
}
