"use client";

import { RadioGroup as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";
import { classNames } from "@/lib/class-names";

export interface Choice<Value extends string> {
  value: Value;
  text: ReactNode;
  note?: ReactNode;
  /** A closed choice is shown with its note and cannot be chosen. */
  closed?: boolean;
}

interface ChoiceCardsProps<Value extends string> {
  label: string;
  value: Value | null;
  onChange: (value: Value) => void;
  choices: Choice<Value>[];
  className?: string;
}

/** One of a few, each with a line that says what choosing it means. */
export function ChoiceCards<Value extends string>({
  label,
  value,
  onChange,
  choices,
  className,
}: ChoiceCardsProps<Value>) {
  const id = useId();
  return (
    <Radix.Root
      aria-label={label}
      value={value ?? ""}
      onValueChange={(next) => onChange(next as Value)}
      className={classNames("grid gap-2", className)}
    >
      {choices.map((choice) => (
        <Radix.Item
          key={choice.value}
          value={choice.value}
          disabled={choice.closed ?? false}
          aria-labelledby={`${id}-${choice.value}`}
          aria-describedby={choice.note ? `${id}-${choice.value}-note` : undefined}
          className="group flex items-start gap-2.5 rounded-lg border border-line-strong p-3 text-left hover:bg-sunken disabled:cursor-not-allowed disabled:bg-sunken data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft md:py-2.5"
        >
          <span className="mt-[3px] grid size-3.5 shrink-0 place-items-center rounded-full border border-field group-disabled:border-line-strong group-data-[state=checked]:border-accent">
            <Radix.Indicator data-drawn className="size-2 rounded-full bg-accent" />
          </span>
          <span className="min-w-0">
            <span id={`${id}-${choice.value}`} className="block font-medium group-disabled:text-ink-3">
              {choice.text}
            </span>
            {choice.note && (
              <span id={`${id}-${choice.value}-note`} className="block text-ink-2 text-small group-disabled:text-ink-3">
                {choice.note}
              </span>
            )}
          </span>
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}
