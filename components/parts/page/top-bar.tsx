import type { ReactNode } from "react";
import { LiveIndicator } from "@/components/parts/live/live-indicator";
import { classNames } from "@/lib/class-names";
import { PaletteButton } from "./palette-button";
import { PageTitle } from "./section-tabs";

interface TopBarProps {
  /** The page's h1; leave it out where the page has its own. */
  title?: string;
  /** Replaces the title, such as a back link. */
  crumb?: ReactNode;
  actions?: ReactNode;
}

export function TopBar({ title, crumb, actions }: TopBarProps) {
  return (
    <header className="flex min-h-[52px] short:min-h-10 shrink-0 items-center gap-x-3 border-line border-b px-4 max-md:flex-wrap md:h-[52px] md:px-6 print:hidden">
      {title && <PageTitle title={title} />}
      {/* On a phone it gives way, so that the bar stays one line. */}
      {crumb && <div className="flex min-w-0 items-center max-md:flex-1">{crumb}</div>}
      <span className={classNames("flex-1", crumb && "max-md:hidden")} />
      <PaletteButton />
      <LiveIndicator />
      {actions}
    </header>
  );
}
