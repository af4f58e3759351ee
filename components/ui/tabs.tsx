"use client";

import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: { value: Value; text: string; count?: number }[];
  children: ReactNode;
}

/** The tab that is open belongs in the URL; `children` are `TabPanel`s. */
export function Tabs<Value extends string>({ label, value, onChange, tabs, children }: TabsProps<Value>) {
  return (
    <Radix.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Radix.List
        aria-label={label}
        className="scrollbar-none flex shrink-0 gap-5 overflow-x-auto border-line border-b px-4 md:px-6"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            data-ring="inside"
            className="-mb-px flex h-11 items-center gap-1.5 border-transparent border-b-2 text-ink-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink md:h-[38px]"
          >
            {tab.text}
            {tab.count !== undefined && tab.count > 0 && <span className="text-ink-3 text-micro">{tab.count}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {children}
    </Radix.Root>
  );
}

export function TabPanel({ value, children, className }: { value: string; children: ReactNode; className?: string }) {
  return (
    <Radix.Content value={value} data-ring="inside" className={className}>
      {children}
    </Radix.Content>
  );
}
