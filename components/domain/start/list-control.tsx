"use client";

import { Plus, X } from "lucide-react";
import type { Json } from "@/components/parts/values/value-node";
import { Button } from "@/components/ui/button";
import type { FieldProps } from "./control-props";
import { Group } from "./group";
import { blank } from "./input-field";

/** Longer lists are written as JSON: a form would be unusable. */
const MOST_ITEMS = 100;

export function ListControl({
  field,
  root,
  path,
  label,
  title,
  value,
  onChange,
  error,
  depth,
  Part,
}: FieldProps<"list">) {
  const items = Array.isArray(value) ? value : [];
  const add = () => onChange([...items, (blank(field.item, root, depth + 1) ?? null) as Json]);
  const remove = (index: number) => onChange(items.filter((_, at) => at !== index));
  return (
    <Group
      title={title}
      hint={field.hint}
      error={error}
      action={
        <Button size="small" aria-label={`Add to ${label}`} disabled={items.length >= MOST_ITEMS} onClick={add}>
          <Plus aria-hidden className="size-3.5" /> Add
        </Button>
      }
    >
      {items.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item has no name but its place, and its fields hold no state
        <div key={index} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <Part
              schema={field.item}
              root={root}
              path={`${path}.${index}`}
              label={`${label} ${index + 1}`}
              required
              depth={depth + 1}
            />
          </div>
          <Button
            variant="ghost"
            size="square"
            aria-label={`Remove ${label} ${index + 1}`}
            onClick={() => remove(index)}
          >
            <X aria-hidden className="size-3.5" />
          </Button>
        </div>
      ))}
    </Group>
  );
}
