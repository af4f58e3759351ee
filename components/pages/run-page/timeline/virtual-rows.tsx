import type { Virtualizer } from "@tanstack/react-virtual";
import type { ReactNode, RefObject } from "react";

interface VirtualRowsProps<Row> {
  list: RefObject<HTMLUListElement | null>;
  label: string;
  rows: readonly Row[];
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  children: (row: Row) => ReactNode;
}

/** The rows in sight, each at its place in a list of full height. */
export function VirtualRows<Row>({ list, label, rows, virtualizer, children }: VirtualRowsProps<Row>) {
  return (
    <ul ref={list} data-arrows aria-label={label} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start, size }) => (
        <li
          key={key}
          data-index={index}
          className="absolute inset-x-0"
          style={{ height: size, transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
        >
          {children(rows[index] as Row)}
        </li>
      ))}
    </ul>
  );
}

/** The distance of an element from the top of its scroll container: a virtual list below a head begins there. */
export const offsetIn = (element: HTMLElement, scroller: HTMLElement) =>
  element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
