"use client";

import { ChevronDown } from "lucide-react";
import { useEffect } from "react";
import { tellRefusal } from "@/components/parts/toasts/tell";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/overlay/menu";
import { DEMO_PEOPLE, useBeSomebody } from "./demo-people";

/** The demo's other users, as whom one goes on. */
export function RoleMenu({ name }: { name: string }) {
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
