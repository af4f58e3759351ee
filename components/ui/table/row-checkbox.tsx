import { Tick } from "../form/tick";

interface RowCheckboxProps {
  checked: boolean | "some";
  label: string;
  /** `extend`: with the shift key held. */
  onToggle: (extend: boolean) => void;
}

/** A checkbox in a row of a table: as large to a thumb as its cell, and above the link that fills the row. */
export const RowCheckbox = ({ checked, label, onToggle }: RowCheckboxProps) => (
  <Tick
    checked={checked}
    aria-label={label}
    data-ring="inside"
    onToggle={onToggle}
    box="size-4"
    className="z-[1] size-full min-h-6 min-w-6"
  />
);
