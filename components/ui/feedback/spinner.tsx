import { classNames } from "@/lib/class-names";

/** Only for something that is being done right now. */
export function Spinner({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      className={classNames("size-3.5 animate-spin", className)}
    >
      <circle cx="8" cy="8" r="5.6" opacity=".24" />
      <path d="M8 2.4a5.6 5.6 0 0 1 5.6 5.6" strokeLinecap="round" />
    </svg>
  );
}
