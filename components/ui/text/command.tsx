import { classNames } from "@/lib/class-names";
import { CopyButton } from "../copy-button";

/** A command for a terminal, whole, and copied with one click. */
export function Command({ text, className }: { text: string; className?: string }) {
  return (
    <span
      className={classNames(
        "inline-flex max-w-full items-center gap-1 rounded-md border border-line bg-sunken py-0.5 pr-0.5 pl-2",
        className,
      )}
    >
      <code className="min-w-0 break-words font-mono text-small [overflow-wrap:anywhere]">{text}</code>
      <CopyButton text={text} what={`the command ${text}`} />
    </span>
  );
}
