"use client";

import { useState } from "react";
import { parseJson } from "@/components/parts/values/parse-json";
import type { Json } from "@/components/parts/values/value-node";
import { TextArea } from "@/components/ui/form/text-field";
import type { Bound, FieldProps } from "./control-props";

/** A value as JSON: what is typed stays while it is none yet, and the form goes on with it as a text, which no schema takes. */
export function JsonControl({
  field,
  bound,
  title,
  value,
  onChange,
  error,
  empty,
  required,
}: FieldProps<"json"> & Bound) {
  const [text, setText] = useState(() => asText(value));
  const shown = sayTheSame(text, value) ? text : asText(value);
  const parsed = parseJson(shown);
  return (
    <TextArea
      {...bound}
      label={<>{title} as JSON</>}
      hint={field.hint}
      error={parsed.ok ? error : parsed.error}
      required={required}
      mono
      rows={3}
      value={shown}
      onChange={({ target }) => {
        setText(target.value);
        const next = parseJson(target.value);
        onChange(next.ok ? (next.value ?? empty) : target.value);
      }}
    />
  );
}

const asText = (value: Json | undefined) => (value === undefined ? "" : JSON.stringify(value, null, 2));

/** Whether the form still holds what was typed here: rows that move up bring other values. */
function sayTheSame(text: string, value: Json | undefined): boolean {
  const parsed = parseJson(text);
  return parsed.ok ? JSON.stringify(parsed.value ?? null) === JSON.stringify(value ?? null) : text === value;
}
