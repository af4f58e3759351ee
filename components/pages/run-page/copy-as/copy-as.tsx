"use client";

import { Copy } from "lucide-react";
import { Button } from "@/components/ui/button";
import { later } from "@/components/ui/later";
import { Menu } from "@/components/ui/overlay/menu";
import type { Run } from "@/lib/api/contract/run";

const CopyForms = later(() => import("./copy-forms").then((part) => part.CopyForms));

/** Copies the run as text. Masked values stay masked, even while they are shown on screen. */
export function CopyAs({ run }: { run: Run }) {
  return (
    <Menu
      trigger={
        <Button>
          <Copy aria-hidden className="size-3.5 text-ink-3" />
          Copy as
        </Button>
      }
    >
      <CopyForms run={run} />
    </Menu>
  );
}
