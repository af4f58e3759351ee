import { classNames } from "@/lib/class-names";

/** So many characters at the end always stay: names that are alike differ there. */
const TAIL = 7;

/** One line of text that gives way in its middle when there is no room for all of it. */
export function MiddleText({ text, className }: { text: string; className?: string }) {
  const cut = text.length > 2 * TAIL ? text.length - TAIL : text.length;
  return (
    <span title={text} className={classNames("inline-flex min-w-0 max-w-full", className)}>
      <span className="truncate whitespace-pre">{text.slice(0, cut)}</span>
      <span className="shrink-0 whitespace-pre">{text.slice(cut)}</span>
    </span>
  );
}
