import type { ReactNode } from "react";
import { Spinner } from "@/components/ui/feedback/spinner";
import { classNames } from "@/lib/class-names";

/** Filled when ended, outline when waiting, spinner only while executing: distinguishable without color. */
export type Shape =
  | "check"
  | "octagon"
  | "question"
  | "spinner"
  | "running"
  | "clock"
  | "dashes"
  | "loop"
  | "back"
  | "back-open"
  | "back-done"
  | "slash"
  | "pause"
  | "person"
  | "skip";

const DRAWINGS = {
  check: (
    <>
      <circle cx="8" cy="8" r="6.4" fill="currentColor" opacity=".18" />
      <path d="m5 8.2 2.1 2.1L11.2 6" strokeWidth="1.6" />
    </>
  ),
  octagon: (
    <>
      <path d="M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2z" fill="currentColor" stroke="none" />
      <path d="M8 4.6v4.2M8 11v.4" stroke="var(--panel)" strokeWidth="1.7" />
    </>
  ),
  question: (
    <>
      <path d="M8 1.3 14.7 8 8 14.7 1.3 8z" />
      <path d="M6.6 6.5a1.45 1.45 0 1 1 2.1 1.3c-.5.3-.7.6-.7 1.1M8 10.7v.3" strokeWidth="1.3" />
    </>
  ),
  running: (
    <>
      <circle cx="8" cy="8" r="5.6" strokeWidth="2" opacity=".24" />
      <path d="M8 2.4a5.6 5.6 0 0 1 5.6 5.6" strokeWidth="2" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.8V8l2.2 1.4" />
    </>
  ),
  dashes: <circle cx="8" cy="8" r="6" strokeDasharray="2 2.2" />,
  loop: (
    <>
      <path d="M13.2 8a5.2 5.2 0 1 1-1.6-3.8" />
      <path d="M13.4 1.9v2.9h-2.9" />
    </>
  ),
  back: (
    <>
      <path d="M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6" />
      <path d="M5.6 3.6 2.7 6.5l2.9 2.9" />
    </>
  ),
  "back-open": (
    <>
      <path d="M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6" />
      <path d="M5.6 3.6 2.7 6.5l2.9 2.9" />
      <circle cx="12.8" cy="3.2" r="2.2" fill="currentColor" stroke="none" />
    </>
  ),
  "back-done": (
    <>
      <circle cx="8" cy="8" r="6.4" fill="currentColor" opacity=".18" stroke="none" />
      <path d="M5 7.4h4.2a1.9 1.9 0 0 1 0 3.8H7.4M6.8 5.4 4.8 7.4l2 2" />
    </>
  ),
  slash: (
    <>
      <circle cx="8" cy="8" r="6.2" fill="currentColor" opacity=".18" stroke="none" />
      <path d="m5.4 10.6 5.2-5.2" strokeWidth="1.6" />
    </>
  ),
  pause: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.6 6v4M9.4 6v4" />
    </>
  ),
  person: (
    <>
      <circle cx="8" cy="5.2" r="2.6" />
      <path d="M2.8 13.6c.5-2.6 2.5-4 5.2-4s4.7 1.4 5.2 4" />
    </>
  ),
  skip: (
    <>
      <circle cx="8" cy="8" r="6.4" fill="currentColor" opacity=".18" stroke="none" />
      <path d="M5.2 5.6 8 8l-2.8 2.4M9 5.6 11.8 8 9 10.4" />
    </>
  ),
} satisfies Record<Exclude<Shape, "spinner">, ReactNode>;

export function StatusShape({ shape, className }: { shape: Shape; className?: string }) {
  if (shape === "spinner") return <Spinner className={className ?? ""} />;
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={classNames("size-3.5 shrink-0", className)}
    >
      {DRAWINGS[shape]}
    </svg>
  );
}
