import { ExternalLink } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import type { Cell } from "@/lib/api/hooks/cell-hooks";

interface CellLinkProps {
  cell: Cell;
  /** Within the cell's console. */
  href: string;
  className?: string;
  children: ReactNode;
}

/** To a page of a cell's console: what is in a cell opens where it is. */
export function CellLink({ cell, href, className = "text-accent hover:underline", children }: CellLinkProps) {
  if (cell.isOwn)
    return (
      <Link href={href} className={className}>
        {children}
      </Link>
    );
  return (
    <a href={cell.url + href} target="_blank" rel="noreferrer" className={className}>
      {children}
      <ExternalLink aria-label="(opens in a new tab)" className="ml-1 inline size-3 shrink-0" />
    </a>
  );
}

/** The name of a cell, beside what is in it. */
export const CellName = ({ cell }: { cell: Cell }) => (
  <span className="min-w-12 shrink-0 rounded bg-gray-soft px-1.5 text-center font-mono text-ink-2 text-small">
    {cell.name}
  </span>
);
