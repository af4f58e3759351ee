import { classNames } from "@/lib/class-names";
import { CopyButton } from "../copy-button";

interface CopyableProps {
  text: string;
  /** What is shown in its place, such as the text shortened. */
  shown?: string;
  what: string;
  className?: string;
}

/** An id or key: monospaced, whole on hover, and copied with one click. */
export function Copyable({ text, shown = text, what, className }: CopyableProps) {
  return (
    <span
      className={classNames("group/copy inline-flex min-w-0 max-w-full items-center gap-0.5 align-bottom", className)}
    >
      <span data-whole={text} title={text} className="truncate font-mono text-small">
        {shown}
      </span>
      <CopyButton
        text={text}
        what={what}
        className="-my-0.5 opacity-60 transition-opacity focus-visible:opacity-100 group-hover/copy:opacity-100"
      />
    </span>
  );
}
