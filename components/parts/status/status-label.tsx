import { classNames } from "@/lib/class-names";
import { type Look, TONE_CLASSES } from "./look";
import { StatusShape } from "./status-shape";

interface StatusLabelProps {
  look: Look;
  /** Shows the shape alone; the word is still read out. */
  shapeOnly?: boolean;
  /** On a second line, if there is no room, instead of cut. */
  wraps?: boolean;
  className?: string;
}

export function StatusLabel({ look, shapeOnly = false, wraps = false, className }: StatusLabelProps) {
  const tone = TONE_CLASSES[look.tone];
  return (
    <span
      className={classNames("inline-flex min-w-0 max-w-full items-center gap-1.5 align-middle font-medium", className)}
    >
      <StatusShape shape={look.shape} className={tone.shape} />
      <span className={shapeOnly ? "sr-only" : classNames(!wraps && "truncate", tone.word)}>{look.word}</span>
    </span>
  );
}
