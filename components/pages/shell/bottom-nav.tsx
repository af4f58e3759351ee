"use client";

import { Menu as MenuIcon } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { DESTINATIONS, isAt } from "@/components/parts/page/destinations";
import { Dialog } from "@/components/ui/overlay/dialog";
import { NavLink } from "./nav-link";
import { PersonMenu } from "./person-menu";
import { ThemeSwitch } from "./theme-switch";

/** Of the destinations, as many as have room beside each other on a phone: the first. */
const MOST_TABS = 4;

/** The navigation where a thumb is: the first in the bar, the rest behind "More". */
export function BottomNav() {
  const [more, setMore] = useState(false);
  const pathname = usePathname();
  const here = DESTINATIONS.slice(MOST_TABS).some(({ pages }) => pages.some(({ href }) => isAt(pathname, href)));
  return (
    <nav
      aria-label="Main"
      className="flex h-14 short:h-11 shrink-0 border-line border-t bg-panel pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {DESTINATIONS.slice(0, MOST_TABS).map((destination) => (
        <NavLink key={destination.name} destination={destination} look="tab" />
      ))}
      <button
        type="button"
        onClick={() => setMore(true)}
        aria-current={here || undefined}
        className="flex flex-1 flex-col items-center justify-center gap-0.5 text-ink-2 text-micro aria-[current]:font-medium aria-[current]:text-ink"
      >
        <MenuIcon aria-hidden strokeWidth={1.7} className="size-5" />
        More
      </button>
      <Dialog open={more} onOpenChange={setMore} title="More">
        <div className="flex flex-col gap-1 px-3 pb-6">
          {DESTINATIONS.slice(MOST_TABS).map((destination) => (
            <NavLink key={destination.name} destination={destination} look="row" onNavigate={() => setMore(false)} />
          ))}
          <div className="mt-3 flex flex-wrap gap-1 border-line border-t pt-3">
            <PersonMenu onNavigate={() => setMore(false)} />
            <ThemeSwitch />
          </div>
        </div>
      </Dialog>
    </nav>
  );
}
