/** Name, track and time side by side; on a phone the track goes below the name. One template, so that axis and bars agree. */
export const TIMELINE_GRID =
  "grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-4 md:grid-cols-[minmax(140px,228px)_minmax(0,1fr)_72px] md:px-6";

/** The cell of bars and ticks. */
export const TRACK_CELL = "max-md:col-span-2 max-md:row-start-2";

export const ROW_HEIGHT_WIDE = 34;
export const ROW_HEIGHT_NARROW = 56;
export const AXIS_HEIGHT = 28;
export const CAPTION_HEIGHT = 30;
