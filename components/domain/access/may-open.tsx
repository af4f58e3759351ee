"use client";

import { type ReactNode, useState } from "react";
import { Dialog } from "@/components/ui/overlay/dialog";
import { useMe } from "@/lib/api/hooks/access-hooks";

interface MayOpenProps {
  /** Why the action is closed to the current user; null: it is open. */
  because: string | null | undefined;
  onClose: () => void;
  /** The dialog. */
  children: ReactNode;
}

/** A link may open the dialog of an action that is closed by now, or not permitted: then it says why instead. */
export function MayOpen(props: MayOpenProps) {
  // Permissions are unknown until this has loaded.
  return useMe().isPending ? null : <Decided {...props} />;
}

/** Decided once, when it opens: a later change does not discard what the user has typed. */
function Decided({ because, onClose, children }: MayOpenProps) {
  const [closed] = useState(because ?? null);
  if (closed === null) return children;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="This cannot be done now">
      <p className="px-4 pb-6 text-ink-2 md:px-5">{closed}</p>
    </Dialog>
  );
}
