import type { ReactNode } from "react";

export interface MenuProps {
  /** One button. */
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
}

export interface MenuItemProps {
  onSelect: () => void;
  children: ReactNode;
  /** Below the label; says why an item is closed. */
  note?: ReactNode;
  closed?: boolean;
  icon?: ReactNode;
  /** The menu stays open, for what one does several times. */
  stays?: boolean;
}

export interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; text: string; icon?: ReactNode }[];
  onChange: (value: Value) => void;
}
