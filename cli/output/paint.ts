import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];
export type Paint = (format: Format, text: string) => string;

/** Colours the text, or leaves it as it is. */
export const painter =
  (colours: boolean): Paint =>
  (format, text) =>
    colours && text !== "" ? styleText(format, text, { validateStream: false }) : text;

const STATUS_COLOURS: Record<string, Format> = {
  completed: "green",
  running: "blue",
  pending: "gray",
  waiting: "magenta",
  paused: "gray",
  failed: "red",
  unknown: "red",
  compensating: "yellow",
  retrying: "yellow",
  aborted: "red",
  open: "red",
};

/** A status in the console's colour. */
export const paintStatus = (paint: Paint, status: string): string =>
  paint(STATUS_COLOURS[status] ?? "reset", status.replaceAll("_", " "));
