"use client";

import { createContext, type KeyboardEvent, type ReactNode, useContext, useId } from "react";
import { useChosenInSight } from "../hooks/use-chosen-in-sight";

interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: { value: Value; text: string; count?: number }[];
  children: ReactNode;
}

const Open = createContext({ id: "", value: "" });
const tabId = (id: string, value: string) => `${id}-tab-${value}`;
const panelId = (id: string, value: string) => `${id}-panel-${value}`;

/** How many places a key goes on, of `count`; over the ends, from one to the other. */
const MOVES: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The tab that is open belongs in the URL; `children` are `TabPanel`s. */
export function Tabs<Value extends string>({ label, value, onChange, tabs, children }: TabsProps<Value>) {
  const id = useId();
  const row = useChosenInSight<HTMLDivElement>(value);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = tabs[MOVES[event.key]?.(at, tabs.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    document.getElementById(tabId(id, next.value))?.focus();
    onChange(next.value);
  };
  return (
    <Open value={{ id, value }}>
      <div className="flex min-h-0 flex-1 flex-col">
        {/* What scrolls clips: the line that the chosen tab lies on is outside of it. */}
        <div className="shrink-0 border-line border-b">
          <div
            ref={row}
            role="tablist"
            aria-label={label}
            onKeyDown={onKeyDown}
            className="scrollbar-none -mb-px flex gap-3 overflow-x-auto px-4 md:gap-5 md:px-6"
          >
            {tabs.map((tab) => (
              <button
                key={tab.value}
                type="button"
                role="tab"
                id={tabId(id, tab.value)}
                aria-selected={tab.value === value}
                aria-controls={tab.value === value ? panelId(id, tab.value) : undefined}
                tabIndex={tab.value === value ? 0 : -1}
                onClick={() => onChange(tab.value)}
                data-ring="inside"
                className="flex h-11 items-center justify-center gap-1.5 border-transparent border-b-2 text-ink-2 hover:text-ink aria-selected:border-accent aria-selected:font-medium aria-selected:text-ink max-md:min-w-11 md:h-[38px]"
              >
                {tab.text}
                {tab.count !== undefined && tab.count > 0 && <span className="text-ink-3 text-micro">{tab.count}</span>}
              </button>
            ))}
          </div>
        </div>
        {children}
      </div>
    </Open>
  );
}

/** Only the one that is open is drawn. */
export function TabPanel({ value, children, className }: { value: string; children: ReactNode; className?: string }) {
  const open = useContext(Open);
  if (value !== open.value) return null;
  return (
    <div
      role="tabpanel"
      id={panelId(open.id, value)}
      aria-labelledby={tabId(open.id, value)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel scrolls, and may hold nothing that takes the focus.
      tabIndex={0}
      data-ring="inside"
      className={className}
    >
      {children}
    </div>
  );
}
