"use client";

import { ChevronDown } from "lucide-react";
import Link from "next/link";
import { useEffect } from "react";
import { tellRefusal } from "@/components/parts/toasts/tell";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/overlay/menu";
import type { Role } from "@/lib/engine/access/permission";
import { DEMO_PEOPLE, useBeSomebody } from "./demo-people";

/** States on every page of the demo that it is one, and as which user; its sandbox is here. */
export function DemoBanner({ person }: { person: { name: string; role: Role | null } | null }) {
  return (
    <section
      aria-label="The demo"
      className="flex shrink-0 items-center gap-1 border-line border-b bg-violet-soft px-4 py-0.5 text-small md:gap-2 md:px-5 print:hidden"
    >
      <p className="min-w-0 flex-1 truncate">
        <span className="font-semibold text-violet">Demo</span>{" "}
        <span className="text-ink-2">
          {person && (
            <>
              · <span className="max-md:sr-only">you are {person.name === person.role && "the "}</span>
              {person.name}
            </>
          )}
          <span className="max-md:hidden"> · sandbox data only</span>
        </span>
      </p>
      <Button asChild variant="ghost" size="small">
        <Link href="/sandbox">Sandbox</Link>
      </Button>
      {person && <RoleMenu name={person.name} />}
    </section>
  );
}

function RoleMenu({ name }: { name: string }) {
  const { be, isBusy, error } = useBeSomebody(() => location.pathname + location.search);
  useEffect(() => {
    if (error) tellRefusal(error);
  }, [error]);
  return (
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
  );
}
