"use client";

import { Download, Printer } from "lucide-react";
import { Button } from "./button";

/** Exports everything as a file, or prints the page. */
export function ExportButtons({ href }: { href: (format: "csv" | "ndjson") => string }) {
  return (
    <div className="flex flex-wrap gap-1.5 print:hidden">
      {(["csv", "ndjson"] as const).map((format) => (
        <Button asChild key={format}>
          <a href={href(format)} download>
            <Download aria-hidden className="size-3.5" />
            {format.toUpperCase()}
          </a>
        </Button>
      ))}
      <Button variant="ghost" onClick={() => window.print()}>
        <Printer aria-hidden className="size-3.5" />
        Print
      </Button>
    </div>
  );
}
