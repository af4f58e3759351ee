"use client";

import Link from "next/link";
import { Button } from "@/components/ui/button";
import { later } from "@/components/ui/later";
import type { Role } from "@/lib/engine/access/permission";

// Outside of the demo nobody needs it.
const RoleMenu = later(() => import("./role-menu").then((part) => part.RoleMenu));

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
