"use client";

import { ArrowUpRight, X } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { useHydrated } from "@/components/ui/hooks/use-hydrated";
import { SIDE_BY_SIDE, useMediaQuery } from "@/components/ui/hooks/use-media-query";
import { IconButton } from "@/components/ui/icon-button";
import { SidePane } from "@/components/ui/layout/side-pane";
import { Sheet } from "@/components/ui/overlay/sheet";

interface InspectorProps {
  /** Short: what is called so in the list. */
  title: ReactNode;
  /** The page with all of it. */
  href: string;
  onClose: () => void;
  children: ReactNode;
}

/** The selected item of a list: beside it if there is room, else in a sheet over it. */
export function Inspector({ title, href, onClose, children }: InspectorProps) {
  const wide = useMediaQuery(SIDE_BY_SIDE);
  const open = (
    <Button asChild variant="ghost">
      <Link href={href} prefetch={false}>
        Open
        <ArrowUpRight aria-hidden className="size-3.5" />
      </Link>
    </Button>
  );
  if (!useHydrated()) return null;
  if (!wide)
    return (
      <Sheet open onClose={onClose} title={title} action={open}>
        {children}
      </Sheet>
    );
  return (
    <SidePane label="Inspector" name="handrail.inspector" usual={380}>
      <header className="sticky top-0 z-10 flex h-[46px] items-center gap-1 border-line border-b bg-panel pr-2 pl-4">
        <div className="min-w-0 flex-1 truncate font-medium">{title}</div>
        {open}
        <IconButton label="Close (Esc)" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </header>
      {children}
    </SidePane>
  );
}
