import { classNames } from "@/lib/class-names";

/** So many characters at the end always stay: names that are alike differ there. */
const TAIL = 7;

/** One line of text that gives way in its middle when there is no room for all of it. Heard, it is whole. */
export function MiddleText({ text, className }: { text: string; className?: string }) {
  if (text.length <= 2 * TAIL)
    return (
      <span title={text} className={classNames("truncate", className)}>
        {text}
      </span>
    );
  return (
    <span title={text} className={classNames("inline-flex min-w-0 max-w-full", className)}>
      <span className="sr-only">{text}</span>
      <span aria-hidden className="truncate whitespace-pre">
        {text.slice(0, -TAIL)}
      </span>
      <span aria-hidden className="shrink-0 whitespace-pre">
        {text.slice(-TAIL)}
      </span>
    </span>
  );
}
