"use client";

import type { Json } from "@/components/parts/values/value-node";
import { Button } from "@/components/ui/button";
import type { FieldProps } from "./control-props";
import { Group } from "./group";
import { blank } from "./input-field";
import { resolved } from "./input-schema";

/** The parts of an object under its name; one that may be left out is left out until it is added. */
export function ObjectControl({
  field,
  schema,
  root,
  path,
  label,
  title,
  value,
  onChange,
  empty,
  required,
  depth,
  Part,
}: FieldProps<"object">) {
  const there = required && !field.nullable ? true : value !== undefined && value !== null;
  const asked = field.parts.filter((part) => !part.required || resolved(part.schema, root).const === undefined);
  const parts = asked.map((part) => (
    <Part
      key={part.name}
      schema={part.schema}
      root={root}
      path={`${path}.${part.name}`}
      label={part.name}
      required={part.required}
      depth={depth + 1}
    />
  ));
  if (depth === 0) return <div className="grid gap-3">{parts}</div>;
  return (
    <Group
      title={title}
      hint={field.hint}
      action={
        (!required || field.nullable) &&
        (there ? (
          <Button size="small" aria-label={`Remove ${label}`} onClick={() => onChange(empty)}>
            Remove
          </Button>
        ) : (
          <Button
            size="small"
            aria-label={`Add ${label}`}
            onClick={() => onChange((blank(schema, root, depth) ?? {}) as Json)}
          >
            Add
          </Button>
        ))
      }
    >
      {there && parts}
    </Group>
  );
}
