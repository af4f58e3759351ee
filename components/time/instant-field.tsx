"use client";

import { TextField } from "../ui/text-field";
import { useHydrated } from "../ui/use-hydrated";
import { useZoneChoice } from "./time-choices";

interface InstantFieldProps {
  label: string;
  value: Date | null;
  onChange: (at: Date | null) => void;
}

/** A point in time by the clock of the viewer's computer, to the minute; it says so where times are shown in another zone. */
export function InstantField({ label, value, onChange }: InstantFieldProps) {
  // The server does not know the viewer's zone.
  const shown = useHydrated() ? value : null;
  const [elsewhere] = useZoneChoice();
  return (
    <TextField
      label={label}
      type="datetime-local"
      className="max-sm:col-span-2" // a narrow one would cut its time off
      hint={elsewhere === null ? undefined : "By this computer's clock"}
      value={toField(shown)}
      onChange={({ target }) => onChange(fromField(target.value))}
    />
  );
}

const two = (number: number) => String(number).padStart(2, "0");

/** What a field for date and time holds: no zone. */
export const toField = (at: Date | null) =>
  at === null
    ? ""
    : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;

export const fromField = (text: string): Date | null => {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at;
};
