import type { TimelineItem } from "./items";

/** Name, track and time side by side; on a phone the track goes below the name. One template, so that axis and bars agree. */
export const TIMELINE_GRID =
  "grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-4 md:grid-cols-[minmax(140px,260px)_minmax(0,1fr)_72px] md:px-6";

/** The cell of bars and ticks. */
export const TRACK_CELL = "max-md:col-span-2 max-md:row-start-2";

const ROW_HEIGHT = { wide: 34, phone: 56 };
const AXIS_HEIGHT = { wide: 32, phone: 56 };
const CLOSED_HEIGHT = { wide: 34, phone: 56 };
const CAPTION_HEIGHT = 28;
const LINE_HEIGHT = 30;
/** With a button in it. */
const ACT_HEIGHT = { wide: 30, phone: 44 };

/** In pixels: every row is drawn in its place before it is seen. */
export function heightOf(item: TimelineItem, screen: "wide" | "phone"): number {
  switch (item.type) {
    case "lane":
      if (!item.open) return CLOSED_HEIGHT[screen];
      return AXIS_HEIGHT[screen] + (item.lane.kind === "first" ? 0 : CAPTION_HEIGHT);
    case "kept":
      return LINE_HEIGHT;
    case "rest":
    case "child":
    case "more":
      return ACT_HEIGHT[screen];
    default:
      return ROW_HEIGHT[screen];
  }
}
