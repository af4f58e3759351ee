"use client";

import { ChevronDown } from "lucide-react";
import { useEffect } from "react";
import { tellRefusal } from "@/components/parts/toasts/tell";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/overlay/menu";
import type { Role } from "@/lib/engine/access/permission";
import { DEMO_PEOPLE, useBeSomebody } from "./demo-people";

/** States on every page of the demo that it is one, and as which user. */
export function DemoBanner({ name, role }: { name: string; role: Role | null }) {
  const { be, isBusy, error } = useBeSomebody(() => location.pathname + location.search);
  useEffect(() => {
    if (error) tellRefusal(error);
  }, [error]);
  return (
    <section
      aria-label="The demo"
      className="flex shrink-0 items-center justify-between gap-3 border-line border-b bg-violet-soft px-4 py-0.5 text-small md:px-5 print:hidden"
    >
      <p className="min-w-0 truncate">
        <span className="font-semibold text-violet">Demo</span>{" "}
        <span className="text-ink-2">
          · you are {name === role ? `the ${name}` : name}
          <span className="max-md:hidden"> · sandbox data only</span>
        </span>
      </p>
      <Menu
        trigger={
          <Button variant="ghost" size="small" disabled={isBusy}>
            Switch role
            <ChevronDown aria-hidden className="size-3.5" />
          </Button>
        }
      >
        {DEMO_PEOPLE.filter((person) => person.role !== name).map((person) => (
          <MenuItem key={person.role} note={person.words} onSelect={() => be(person.role)}>
            <span className="inline-block first-letter:uppercase">{person.role}</span>
          </MenuItem>
        ))}
      </Menu>
    </section>
  );
}
