"use client";

import { ListFilter } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/layout/card";
import { CountBadge } from "@/components/ui/text/count-badge";
import { classNames } from "@/lib/class-names";

interface FilterCardProps {
  /** How many of the fields filter. */
  set: number;
  /** The fields, in the columns of `className`. */
  children: ReactNode;
  className: string;
}

/** The fields that filter a page. On a phone they are behind a button: its rows come first. */
export function FilterCard({ set, children, className }: FilterCardProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="justify-self-start md:hidden print:hidden"
      >
        <ListFilter aria-hidden className="size-4" />
        Filters
        {set > 0 && <CountBadge text={String(set)} label="set" tone="accent" />}
      </Button>
      <Card id={id} className={classNames("print:hidden", !open && "max-md:hidden")}>
        <search className={classNames("grid grid-cols-2 gap-3 p-4", className)}>{children}</search>
      </Card>
    </>
  );
}
