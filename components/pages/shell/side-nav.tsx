"use client";

import Link from "next/link";
import { BrandMark } from "@/components/parts/page/brand";
import { DESTINATIONS } from "@/components/parts/page/destinations";
import { useOpenWindow } from "@/components/parts/page/open-window";
import { Button } from "@/components/ui/button";
import { KeyboardKey } from "@/components/ui/text/keyboard-key";
import { NavLink } from "./nav-link";
import { PersonMenu } from "./person-menu";
import { ThemeSwitch } from "./theme-switch";

export function SideNav() {
  return (
    <nav
      aria-label="Main"
      className="hidden w-[216px] shrink-0 flex-col gap-0.5 border-line border-r px-2.5 py-3.5 md:flex"
    >
      <Link
        href="/"
        className="mb-3 flex items-center gap-2.5 self-start rounded-md px-2 py-0.5 font-semibold text-[14px] tracking-tight"
      >
        <BrandMark />
        Handrail
      </Link>
      {DESTINATIONS.map((destination) => (
        <NavLink key={destination.name} destination={destination} look="row" />
      ))}
      <div className="mt-auto flex min-w-0 pb-1.5">
        <PersonMenu />
      </div>
      <div className="flex items-center justify-between border-line border-t pt-2.5">
        <ThemeSwitch />
        <KeysButton />
      </div>
    </nav>
  );
}

function KeysButton() {
  const open = useOpenWindow();
  return (
    <Button variant="ghost" size="square" aria-label="Keyboard keys" onClick={() => open("keys")}>
      <KeyboardKey>?</KeyboardKey>
    </Button>
  );
}
