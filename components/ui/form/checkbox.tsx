"use client";

import { type ReactNode, useId } from "react";
import { Tick } from "./tick";

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
      <Tick
        id={id}
        checked={checked}
        onToggle={() => onChange(!checked)}
        aria-describedby={hint ? `${id}-hint` : undefined}
        box="size-5 md:size-4"
        className="max-md:-mx-3 max-md:-mt-2.5 max-md:-mb-3 shrink-0 self-start max-md:p-3 md:mt-0.5"
      />
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
