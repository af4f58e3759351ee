"use client";

import { RadioGroup as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "@/lib/class-names";

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: { value: Value; text: ReactNode; tone?: "normal" | "trouble" }[];
  disabled?: boolean;
}

/** One of a few short words, side by side. */
export function Segmented<Value extends string>({
  label,
  value,
  onChange,
  options,
  disabled = false,
}: SegmentedProps<Value>) {
  return (
    <Radix.Root
      aria-label={label}
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      disabled={disabled}
      className="inline-flex flex-wrap md:justify-self-start gap-0.5 rounded-lg bg-gray-soft p-0.5"
    >
      {options.map((option) => (
        <Radix.Item
          key={option.value}
          value={option.value}
          className={classNames(
            "h-10 rounded-md max-md:flex-1 px-3 text-ink-2 hover:text-ink disabled:cursor-not-allowed md:h-7 md:px-2.5",
            "data-[state=checked]:bg-panel data-[state=checked]:font-medium data-[state=checked]:text-ink data-[state=checked]:shadow-card",
            option.tone === "trouble"
              ? "data-[state=checked]:bg-amber-soft data-[state=checked]:text-amber"
              : "dark:data-[state=checked]:bg-line-strong",
          )}
        >
          {option.text}
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}
