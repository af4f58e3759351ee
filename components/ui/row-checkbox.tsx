import { Check, Minus } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";

interface RowCheckboxProps {
  /** `some`: of what it stands for. */
  checked: boolean | "some";
  label: string;
  /** `extend`: with the shift key held. */
  onToggle: (extend: boolean) => void;
}

/** A checkbox in a row of a table: as large to a thumb as its cell, and above the link that fills the row. */
export function RowCheckbox({ checked, label, onToggle }: RowCheckboxProps) {
  return (
    <Radix.Root
      checked={checked === "some" ? "indeterminate" : checked}
      aria-label={label}
      data-ring="inside"
      onClick={(event) => {
        event.preventDefault();
        onToggle(event.shiftKey);
      }}
      className="group relative z-[1] grid size-full min-h-6 min-w-6 cursor-pointer place-items-center"
    >
      <span className="grid size-4 place-items-center rounded border border-field bg-panel group-data-[state=checked]:border-accent group-data-[state=checked]:bg-accent group-data-[state=indeterminate]:border-accent group-data-[state=indeterminate]:bg-accent">
        <Radix.Indicator>
          {checked === "some" ? (
            <Minus aria-hidden className="size-3 text-on-accent" strokeWidth={3} />
          ) : (
            <Check aria-hidden className="size-3 text-on-accent" strokeWidth={3} />
          )}
        </Radix.Indicator>
      </span>
    </Radix.Root>
  );
}
