import type { ReactNode } from "react";
import { classNames } from "@/lib/class-names";

interface NumberTableProps {
  /** What it is a table of, for those who do not see the title above it. */
  label: string;
  /** The first column is left-aligned, the others, mostly numbers, right-aligned. */
  columns: readonly string[];
  /** Places of columns, from 1 on, that a phone has no room for. */
  notOnPhones?: readonly NumberColumn[];
  /** Rows: a `th` each, then a `td` a column. */
  children: ReactNode;
}

// Complete class names: Tailwind finds them by text.
const HIDDEN_ON_PHONES = {
  2: "max-md:[&_:is(td,th):nth-child(2)]:hidden",
  3: "max-md:[&_:is(td,th):nth-child(3)]:hidden",
  5: "max-md:[&_:is(td,th):nth-child(5)]:hidden",
  6: "max-md:[&_:is(td,th):nth-child(6)]:hidden",
  7: "max-md:[&_:is(td,th):nth-child(7)]:hidden",
  8: "max-md:[&_:is(td,th):nth-child(8)]:hidden",
};
type NumberColumn = keyof typeof HIDDEN_ON_PHONES;

/** A small table of numbers in a card; where it does not fit, it scrolls within itself. */
export function NumberTable({ label, columns: [first, ...others], notOnPhones = [], children }: NumberTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and may hold nothing to focus is scrolled by its keys
    <section aria-label={label} tabIndex={0} data-ring="inside" className="overflow-x-auto">
      <table
        className={classNames(
          "w-full max-md:[&_:is(td,th)]:px-2 max-md:[&_th[scope=row]]:max-w-28 [&_td:last-child]:pr-4 [&_td]:whitespace-nowrap [&_td]:px-3 [&_td]:text-right",
          ...notOnPhones.map((place) => HIDDEN_ON_PHONES[place]),
        )}
      >
        <thead>
          <tr className="text-left text-ink-3 text-small">
            <th scope="col" className="py-1.5 pl-4 font-normal">
              {first}
            </th>
            {others.map((name) => (
              <th key={name} scope="col" className="whitespace-nowrap px-3 py-1.5 text-right font-normal last:pr-4">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
