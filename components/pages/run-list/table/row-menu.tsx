"use client";

import { Copy, ExternalLink, Hash, Link2 } from "lucide-react";
import { tell, tellOtherwise } from "@/components/parts/toasts/tell";
import { MenuItem } from "@/components/ui/overlay/menu-parts";
import { PointMenu } from "@/components/ui/overlay/point-menu";
import { copyText } from "../selection/copy-text";
import type { PressedRow } from "./pressed-row";

const copy = (text: string, what: string) =>
  void copyText(text).then((done) =>
    done ? tell(`Copied ${what}.`) : tellOtherwise("The browser does not allow pages to copy."),
  );

/** What can be copied from a row: the cell under the pointer, the run's id, its URL. */
export function RowMenu({ run, column, at, onClose }: PressedRow & { onClose: () => void }) {
  const address = () => new URL(`/runs/${run.id}`, location.origin).href;
  const text = column?.text(run) ?? "";
  return (
    <PointMenu label="This run" at={at} onClose={onClose}>
      {column && text !== "" && (
        <MenuItem icon={<Copy aria-hidden />} onSelect={() => copy(text, column.name)}>
          Copy {column.name}
        </MenuItem>
      )}
      <MenuItem icon={<Hash aria-hidden />} onSelect={() => copy(run.id, "the run's id")}>
        Copy the run's id
      </MenuItem>
      <MenuItem icon={<Link2 aria-hidden />} onSelect={() => copy(address(), "the link")}>
        Copy the link
      </MenuItem>
      <MenuItem icon={<ExternalLink aria-hidden />} onSelect={() => window.open(address(), "_blank", "noopener")}>
        Open in a new tab
      </MenuItem>
    </PointMenu>
  );
}
