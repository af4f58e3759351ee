"use client";

import { type ReactNode, useState } from "react";
import { useMe } from "@/lib/api/hooks/access-hooks";
import { Dialog } from "../ui/overlay/dialog";

interface MayOpenProps {
  /** Why the act is closed to whoever looks; null: it is open. */
  because: string | null | undefined;
  onClose: () => void;
  /** The window. */
  children: ReactNode;
}

/** A link may open the window of an act that is closed by now, or not for everybody: then it says why instead. */
export function MayOpen(props: MayOpenProps) {
  // Before that is known, nobody knows who may.
  return useMe().isPending ? null : <Decided {...props} />;
}

/** Decided once, when it opens: what a person is about to say is not taken from them. */
function Decided({ because, onClose, children }: MayOpenProps) {
  const [closed] = useState(because ?? null);
  if (closed === null) return children;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="This cannot be done now">
      <p className="px-4 pb-6 text-ink-2 md:px-5">{closed}</p>
    </Dialog>
  );
}
