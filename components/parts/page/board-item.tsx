import type { ReactNode } from "react";
import { classNames } from "@/lib/class-names";

interface BoardItemProps {
  id?: string | undefined;
  /** What it is of is in the inspector. */
  selected?: boolean;
  children: ReactNode;
}

/**
 * An item that needs an action: what it is and its actions at left, its context at right; stacked where it is narrow.
 */
export const BoardItem = ({ id, selected = false, children }: BoardItemProps) => (
  <li
    id={id}
    aria-current={selected || undefined}
    className={classNames(
      "relative grid @[740px]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-x-6 gap-y-3 border-line border-t px-4 py-4 first:border-t-0 first:pt-1",
      selected &&
        "before:absolute before:top-0 before:bottom-0 before:left-0 before:w-[3px] before:bg-accent last:before:bottom-2.5",
    )}
  >
    {children}
  </li>
);
