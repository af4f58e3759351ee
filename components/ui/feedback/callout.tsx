import type { ReactNode } from "react";
import { classNames } from "@/lib/class-names";

const TONES = {
  red: { box: "bg-red-soft", title: "text-red" },
  amber: { box: "bg-amber-soft", title: "text-amber" },
  violet: { box: "bg-violet-soft", title: "text-violet" },
  blue: { box: "bg-blue-soft", title: "text-blue" },
  accent: { box: "bg-accent-soft", title: "text-accent" },
  gray: { box: "bg-sunken", title: "text-ink" },
};
export type Tone = keyof typeof TONES;

interface CalloutProps {
  tone: Tone;
  title?: ReactNode;
  children?: ReactNode;
  className?: string;
  /** `alert` for what just went wrong. */
  role?: "alert" | "status";
}

export function Callout({ tone, title, children, className, role }: CalloutProps) {
  const look = TONES[tone];
  return (
    <div role={role} className={classNames("rounded-lg px-3 py-2.5", look.box, className)}>
      {title && <p className={classNames("break-words font-semibold", look.title)}>{title}</p>}
      {children}
    </div>
  );
}
