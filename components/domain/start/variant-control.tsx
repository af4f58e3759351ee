"use client";

import type { Json } from "@/components/parts/values/value-node";
import { NativeSelect } from "@/components/ui/form/native-select";
import type { FieldProps } from "./control-props";
import { Group } from "./group";
import { blank, variantOf } from "./input-field";

/** One of several shapes: which, and then its fields. */
export function VariantControl({
  field,
  root,
  path,
  label,
  title,
  value,
  error,
  onChange,
  empty,
  required,
  depth,
  Part,
}: FieldProps<"variants">) {
  const unset = value === undefined || value === null;
  const at = unset ? -1 : variantOf(field.variants, value, root);
  const chosen = field.variants[at];
  const choose = (index: string) => {
    const variant = field.variants[Number(index)];
    onChange(index === "" || !variant ? empty : ((blank(variant.schema, root, depth + 1) ?? {}) as Json));
  };
  return (
    <Group title={title} hint={field.hint}>
      <NativeSelect
        label={`Kind of ${label}`}
        required={required}
        error={chosen ? undefined : error}
        value={at < 0 ? "" : String(at)}
        onChange={({ target }) => choose(target.value)}
        options={[
          { value: "", text: required ? "Choose one" : "–" },
          ...field.variants.map((variant, index) => ({ value: String(index), text: variant.label })),
        ]}
      />
      {chosen && (
        <Part key={at} schema={chosen.schema} root={root} path={path} label={chosen.label} required depth={depth + 1} />
      )}
    </Group>
  );
}
