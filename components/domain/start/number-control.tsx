"use client";

import { useState } from "react";
import { TextField } from "@/components/ui/form/text-field";
import type { Bound, FieldProps } from "./control-props";

/** A text field: a number field silently turns an invalid number into an empty value. */
export function NumberControl({
  field,
  bound,
  title,
  value,
  onChange,
  error,
  empty,
  required,
}: FieldProps<"number"> & Bound) {
  const [typed, setTyped] = useState("");
  // "1.50" stays as it was typed, as long as it is what the form holds.
  const shown = typed !== "" && Number(typed) === value ? typed : String(value ?? "");
  return (
    <TextField
      {...bound}
      label={title}
      hint={field.hint}
      error={error}
      required={required}
      inputMode="decimal"
      value={shown}
      onChange={({ target }) => {
        const text = target.value.trim();
        setTyped(text);
        onChange(text === "" ? empty : Number.isFinite(Number(text)) ? Number(text) : text);
      }}
    />
  );
}
