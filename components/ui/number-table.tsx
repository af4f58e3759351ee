import type { ReactNode } from "react";

interface NumberTableProps {
  /** What it is a table of, for those who do not see the title above it. */
  label: string;
  /** The first stands at left, the others, mostly numbers, at right. */
  columns: readonly string[];
  /** Rows: a `th` of their own, then a `td` a column. */
  children: ReactNode;
}

/** A small table of numbers in a card; where it does not fit, it scrolls within itself. */
export function NumberTable({ label, columns: [first, ...others], children }: NumberTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and may hold nothing to focus is scrolled by its keys
    <section aria-label={label} tabIndex={0} data-ring="inside" className="overflow-x-auto">
      <table className="w-full [&_td:last-child]:pr-4 [&_td]:whitespace-nowrap [&_td]:px-3 [&_td]:text-right">
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
