import type { ComponentType, ReactNode } from "react";
import type { Json } from "@/components/parts/values/value-node";
import type { InputField } from "./input-field";
import type { InputSchema } from "./input-schema";

export interface ControlProps {
  schema: InputSchema;
  /** Where references lead. */
  root: InputSchema;
  /** Of the value in the form, such as `input.lines.0.sku`. */
  path: string;
  label: string;
  required: boolean;
  depth: number;
}

/** What a control without parts ties its field to the form by: what does not fit gets the focus. */
export interface Bound {
  bound: { name: string; ref: (element: HTMLElement | null) => void; onBlur: () => void };
}

/** What every control of one value is handed. */
export interface FieldProps<Kind extends InputField["kind"]> extends ControlProps {
  field: Extract<InputField, { kind: Kind }>;
  /** The displayed label. */
  title: ReactNode;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  error: string | undefined;
  /** The value of an emptied field: nothing, or null where a value is required. */
  empty: null | undefined;
  /** Renders a part: the control of any value, passed down, because it renders its own parts with these controls. */
  Part: ComponentType<ControlProps>;
}
