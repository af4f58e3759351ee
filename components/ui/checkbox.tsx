"use client";

import { Check } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: ReactNode;
  hint?: ReactNode;
}

export function Checkbox({ checked, onChange, label, hint }: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex gap-2.5">
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => onChange(next === true)}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-0.5 grid size-5 shrink-0 place-items-center rounded border border-field bg-panel data-[state=checked]:border-accent data-[state=checked]:bg-accent md:size-4"
      >
        <Radix.Indicator>
          <Check aria-hidden className="size-3.5 text-on-accent md:size-3" strokeWidth={3} />
        </Radix.Indicator>
      </Radix.Root>
      <div>
        <label htmlFor={id} className="cursor-pointer">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-ink-3 text-small">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
