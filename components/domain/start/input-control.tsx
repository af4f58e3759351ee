"use client";

import { useMemo } from "react";
import { useController, useFormContext, useFormState, useWatch } from "react-hook-form";
import type { Json } from "@/components/parts/values/value-node";
import { Checkbox } from "@/components/ui/form/checkbox";
import { NativeSelect } from "@/components/ui/form/native-select";
import { TextArea, TextField } from "@/components/ui/form/text-field";
import { isWithheld } from "@/lib/engine/values/value-path";
import type { Bound, ControlProps, FieldProps } from "./control-props";
import { fieldOf, type InputField } from "./input-field";
import { ListControl } from "./list-control";
import { ObjectControl } from "./object-control";
import { JsonControl, NumberControl } from "./typed-controls";
import { VariantControl } from "./variant-control";

/** Asks for one value in the way that its schema makes possible. */
export function InputControl(props: ControlProps) {
  const { schema, root, label, required, depth } = props;
  const field = useMemo(() => fieldOf(schema, root, depth), [schema, root, depth]);
  const asked = {
    ...props,
    field,
    title: <Title label={field.title ?? label} required={required} />,
    empty: field.nullable && required ? null : undefined,
    Part: InputControl,
  } as const;
  const hasParts = field.kind === "object" || field.kind === "list" || field.kind === "variants";
  return hasParts ? <WithParts {...asked} /> : <Single {...asked} />;
}

type Asked = Pick<FieldProps<InputField["kind"]>, keyof ControlProps | "title" | "empty" | "Part"> & {
  field: InputField;
};

function WithParts({ field, ...asked }: Asked) {
  const { setValue, getFieldState } = useFormContext();
  const formState = useFormState({ name: asked.path });
  const shared = {
    ...asked,
    value: useWatch({ name: asked.path }) as Json | undefined,
    onChange: (next: Json | undefined) => setValue(asked.path, next, { shouldValidate: true, shouldDirty: true }),
    error: getFieldState(asked.path, formState).error?.message,
  };
  if (field.kind === "object") return <ObjectControl {...shared} field={field} />;
  if (field.kind === "list") return <ListControl {...shared} field={field} />;
  if (field.kind === "variants") return <VariantControl {...shared} field={field} />;
  return null;
}

function Single({ field, ...asked }: Asked) {
  const { field: bound, fieldState } = useController({ name: asked.path });
  const shared = {
    ...asked,
    bound: { name: asked.path, ref: bound.ref, onBlur: bound.onBlur },
    value: bound.value as Json | undefined,
    onChange: bound.onChange as (next: Json | undefined) => void,
    error: fieldState.error?.message,
  };
  if (field.kind === "choice") return <ChoiceControl {...shared} field={field} />;
  if (field.kind === "flag") return <FlagControl {...shared} field={field} />;
  if (field.kind === "number") return <NumberControl {...shared} field={field} />;
  if (field.kind === "text") return <TextControl {...shared} field={field} />;
  if (field.kind === "json") return <JsonControl {...shared} field={field} />;
  return null;
}

const Title = ({ label, required }: { label: string; required: boolean }) => (
  <>
    {label}
    {!required && <span className="text-ink-3"> (optional)</span>}
  </>
);

function TextControl({ field, bound, title, value, onChange, error, empty, required }: FieldProps<"text"> & Bound) {
  const frame = {
    ...bound,
    label: title,
    hint: field.hint,
    error,
    required,
    placeholder: isWithheld(value) ? "Not shown: enter a value" : field.placeholder,
    value: typeof value === "string" ? value : "",
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value === "" ? empty : target.value),
  };
  return field.long ? <TextArea {...frame} rows={4} /> : <TextField {...frame} type={field.input} />;
}

const FlagControl = ({ field, title, value, onChange }: FieldProps<"flag">) => (
  <Checkbox label={title} hint={field.hint} checked={value === true} onChange={onChange} />
);

function ChoiceControl({ field, bound, title, value, onChange, error, empty, required }: FieldProps<"choice"> & Bound) {
  const at = field.options.indexOf(value as Json);
  const options = field.options.map((option, index) => ({ value: String(index), text: String(option) }));
  return (
    <NativeSelect
      {...bound}
      label={title}
      hint={field.hint}
      error={error}
      required={required}
      value={at < 0 ? "" : String(at)}
      onChange={({ target }) => onChange(target.value === "" ? empty : field.options[Number(target.value)])}
      options={[{ value: "", text: required && !field.nullable ? "Choose one" : "–" }, ...options]}
    />
  );
}
