"use client";

import { type ReactNode, useId } from "react";
import { classNames } from "@/lib/class-names";

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: { value: Value; text: ReactNode; tone?: "normal" | "trouble" }[];
  disabled?: boolean;
}

/** One of a few short words, side by side: radio buttons of the browser, which knows their keys. */
export function Segmented<Value extends string>({
  label,
  value,
  onChange,
  options,
  disabled = false,
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex flex-wrap md:justify-self-start gap-0.5 rounded-lg bg-gray-soft p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={classNames(
            "relative grid h-11 place-items-center rounded-md px-3 text-ink-2 hover:text-ink max-md:flex-1 md:h-7 md:px-2.5",
            "has-[:checked]:bg-chosen has-[:checked]:font-medium has-[:checked]:text-on-chosen has-[:checked]:shadow-card",
            option.tone === "trouble" && "has-[:checked]:bg-amber-soft has-[:checked]:text-amber",
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            disabled={disabled}
            className="absolute inset-0 cursor-pointer appearance-none rounded-md disabled:cursor-not-allowed"
          />
          {option.text}
        </label>
      ))}
    </div>
  );
}
