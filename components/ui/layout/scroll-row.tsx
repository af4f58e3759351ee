"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { classNames } from "@/lib/class-names";

/** Of what is seen: a press shows what comes next, and keeps a piece of what was there. */
const A_VIEW = 0.7;
/** Fractions of a pixel, in which browsers scroll. */
const SLACK_PX = 2;

/**
 * One line of controls, however many: if they do not fit it scrolls, fades at the side where there is more, and a
 * pointer finds an arrow there. Keys need none: the focused control scrolls into view. The pressed one is kept in view
 * until the user scrolls.
 * @param className of the line within, such as its padding and gaps
 */
export function ScrollRow({ className, children }: { className?: string; children: ReactNode }) {
  const [row, setRow] = useState<HTMLDivElement | null>(null);
  const { before, after } = useMore(row);
  const scroll = (by: 1 | -1) => row?.scrollBy({ left: by * row.clientWidth * A_VIEW });
  return (
    <div className="relative min-w-0">
      <div
        ref={setRow}
        className={classNames(
          "scrollbar-none scroll-px-12 overflow-x-auto scroll-smooth",
          before && "mask-l-from-[calc(100%-4.5rem)] pointer-fine:mask-l-to-[calc(100%-2rem)]",
          after && "mask-r-from-[calc(100%-4.5rem)] pointer-fine:mask-r-to-[calc(100%-2rem)]",
        )}
      >
        <div className={classNames("flex w-max min-w-full", className)}>{children}</div>
      </div>
      {before && <Arrow side="left" onClick={() => scroll(-1)} />}
      {after && <Arrow side="right" onClick={() => scroll(1)} />}
    </div>
  );
}

/** For a pointer alone: a thumb swipes, and keys go from thing to thing. */
function Arrow({ side, onClick }: { side: "left" | "right"; onClick: () => void }) {
  const Icon = side === "left" ? ChevronLeft : ChevronRight;
  return (
    <button
      type="button"
      aria-hidden
      tabIndex={-1}
      onClick={onClick}
      className={classNames(
        "absolute inset-y-0 grid w-9 place-items-center text-ink-3 hover:text-ink pointer-coarse:hidden",
        side === "left" ? "left-0" : "right-0",
      )}
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}

/** Whether there is more to either side than is seen. */
function useMore(row: HTMLDivElement | null): { before: boolean; after: boolean } {
  const [more, setMore] = useState({ before: false, after: false });
  useEffect(() => {
    const line = row?.firstElementChild;
    if (!row || !line) return;
    const look = () => {
      const before = row.scrollLeft > SLACK_PX;
      const after = row.scrollLeft + row.clientWidth < row.scrollWidth - SLACK_PX;
      setMore((was) => (was.before === before && was.after === after ? was : { before, after }));
    };
    let ours = 0;
    const sizes = new ResizeObserver(() => {
      // Until the user has scrolled: counts arrive later, and push the pressed control out of view.
      if (row.scrollLeft === ours) ours = showPressed(row);
      look();
    });
    sizes.observe(row);
    sizes.observe(line);
    row.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      row.removeEventListener("scroll", look);
    };
  }, [row]);
  return more;
}

/** Gives how far it is scrolled then. */
function showPressed(row: HTMLDivElement): number {
  const pressed = row.querySelector<HTMLElement>("[aria-pressed=true]");
  if (!pressed) return row.scrollLeft;
  const beyond = pressed.getBoundingClientRect().right - row.getBoundingClientRect().right;
  if (beyond > 0) row.scrollTo({ left: row.scrollLeft + beyond + row.clientWidth * (1 - A_VIEW), behavior: "instant" });
  return row.scrollLeft;
}
