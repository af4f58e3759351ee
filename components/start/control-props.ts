import type { ComponentType, ReactNode } from "react";
import type { Json } from "../values/value-node";
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
  /** The label as it is shown. */
  title: ReactNode;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  error: string | undefined;
  /** What an emptied field holds: nothing, or null where something has to be there. */
  empty: null | undefined;
  /** Asks for a part: the control of any value, handed down, for it asks for its own parts by these controls. */
  Part: ComponentType<ControlProps>;
}
