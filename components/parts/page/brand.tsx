import { classNames } from "@/lib/class-names";

export function BrandMark({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 20 20"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={classNames("size-5", className)}
    >
      <path d="M2 17.5h4v-4h4v-4h4v-4h4" stroke="var(--ink-3)" strokeWidth="1.7" />
      <path d="M2 12 13 1.5" stroke="var(--accent)" strokeWidth="2.4" />
    </svg>
  );
}
