"use client";

import type { Virtualizer } from "@tanstack/react-virtual";
import Link from "next/link";
import type { RunListItem } from "@/lib/api/contract/run";
import { shortenMiddle } from "@/lib/format";
import { lookOfRun } from "../status/run-looks";
import { StatusLabel } from "../status/status-label";
import { Instant } from "../time/instant";
import { NowAtText, StepsOrProgress } from "./run-cells";
import { rowId } from "./run-table";
import { businessKeyOf } from "./run-words";

export const CARD_HEIGHT = 84;

interface RunCardsProps {
  runs: RunListItem[];
  virtualizer: Virtualizer<HTMLDivElement, Element>;
}

/** The list on a phone: each run as high as a thumb needs, and opened by it. */
export function RunCards({ runs, virtualizer }: RunCardsProps) {
  return (
    <ul aria-label="Runs" className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const run = runs[index];
        return run ? (
          <li
            key={run.id}
            id={rowId(run.id)}
            className="absolute inset-x-0 border-line border-b"
            style={{ height: CARD_HEIGHT, transform: `translateY(${start}px)` }}
          >
            <RunCard run={run} />
          </li>
        ) : null;
      })}
    </ul>
  );
}

function RunCard({ run }: { run: RunListItem }) {
  return (
    <Link
      href={`/runs/${run.id}`}
      prefetch={false}
      data-ring="inside"
      className="flex h-full flex-col justify-center gap-1 px-4 active:bg-gray-soft"
    >
      <span className="flex items-center justify-between gap-3">
        <StatusLabel look={lookOfRun(run)} />
        <Instant at={run.startedAt ?? run.createdAt} as="relative" className="shrink-0 text-ink-3 text-small" />
      </span>
      <span className="flex items-baseline gap-2">
        <span className="truncate font-mono text-small">{businessKeyOf(run) ?? shortenMiddle(run.id)}</span>
        <span className="truncate text-ink-3 text-small">{run.workflow}</span>
      </span>
      <span className="flex items-center justify-between gap-3">
        <span className="truncate">
          <NowAtText run={run} />
        </span>
        <StepsOrProgress run={run} most={6} />
      </span>
    </Link>
  );
}
