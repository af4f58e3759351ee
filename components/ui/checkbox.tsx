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
        className="mt-0.5 shrink-0 self-start"
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
