import { classNames } from "@/lib/class-names";

const TONES = { red: "bg-red-soft text-red", accent: "bg-accent-soft text-accent", gray: "bg-gray-soft text-ink-2" };

export function CountBadge({
  text,
  label,
  tone = "gray",
  className,
}: {
  text: string;
  label?: string;
  tone?: keyof typeof TONES;
  className?: string;
}) {
  return (
    <span className={classNames("rounded-full px-1.5 font-medium text-micro leading-[18px]", TONES[tone], className)}>
      {text}
      {label && <span className="sr-only"> {label}</span>}
    </span>
  );
}
