"use client";

import { useState } from "react";
import { parseJson } from "@/components/parts/values/parse-json";
import type { Json } from "@/components/parts/values/value-node";
import { TextArea, TextField } from "@/components/ui/form/text-field";
import type { Bound, FieldProps } from "./control-props";

type Typed = "json" | "number";

const frameOf = ({ bound, field, error, required }: FieldProps<Typed> & Bound) => ({
  ...bound,
  hint: field.hint,
  error,
  required,
});

/** A text field: a number field silently turns an invalid number into an empty value. */
export function NumberControl(props: FieldProps<"number"> & Bound) {
  const { title, value, onChange, empty } = props;
  const [typed, setTyped] = useState("");
  // "1.50" stays as it was typed, as long as it is what the form holds.
  const shown = typed !== "" && Number(typed) === value ? typed : String(value ?? "");
  return (
    <TextField
      {...frameOf(props)}
      label={title}
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

/** A value as JSON: text that is not yet JSON stays as typed, and the form holds it as a text, which no schema accepts. */
export function JsonControl(props: FieldProps<"json"> & Bound) {
  const { title, value, onChange, error, empty } = props;
  const [text, setText] = useState(() => asText(value));
  const shown = isSame(text, value) ? text : asText(value);
  const parsed = parseJson(shown);
  return (
    <TextArea
      {...frameOf(props)}
      label={<>{title} as JSON</>}
      error={parsed.ok ? error : parsed.error}
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

/** Whether the form still holds the typed text: rows that move up bring other values. */
function isSame(text: string, value: Json | undefined): boolean {
  const parsed = parseJson(text);
  return parsed.ok ? JSON.stringify(parsed.value ?? null) === JSON.stringify(value ?? null) : text === value;
}
