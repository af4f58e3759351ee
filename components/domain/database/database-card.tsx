"use client";

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { Look } from "@/components/parts/status/look";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Card } from "@/components/ui/layout/card";
import { Fact, Facts } from "@/components/ui/layout/facts";
import type { DatabaseHealth } from "@/lib/api/contract/flow";
import { databaseQuery } from "@/lib/api/hooks/queries";
import { formatBytes, formatCount, formatDuration } from "@/lib/format";

const LOOKS = {
  good: { shape: "check", word: "Healthy", tone: "quiet" },
  watch: { shape: "question", word: "Check it", tone: "amber" },
  act: { shape: "octagon", word: "Needs attention", tone: "red" },
} as const satisfies Record<DatabaseHealth["findings"][number]["level"], Look>;

/** The database where it has trouble, and nothing where it is healthy. */
export function DatabaseTrouble({ refreshMs }: { refreshMs: number | false }) {
  const { data } = useQuery(databaseQuery(refreshMs));
  return data && troublesOf(data).length > 0 ? <DatabaseCard data={data} /> : null;
}

const troublesOf = ({ findings }: DatabaseHealth) => findings.filter(({ level }) => level !== "good");

/** The health of Postgres as far as runs are affected; problems come first, each with a remedy. */
export function DatabaseCard({ data }: { data: DatabaseHealth }) {
  const walRate = useWalRate(data);
  const troubles = troublesOf(data);
  const worst = troubles.some(({ level }) => level === "act") ? "act" : troubles.length > 0 ? "watch" : "good";
  const [dirtiest] = data.tables;
  return (
    <Card title="Database" action={<StatusLabel look={LOOKS[worst]} className="font-normal" />} className="pb-4">
      {troubles.length > 0 && (
        <ul className="mx-4 mb-2 grid gap-1.5">
          {troubles.map(({ what, level, advice }) => (
            <li
              key={what}
              className={`rounded-md px-2.5 py-1.5 text-small ${level === "act" ? "bg-red-soft" : "bg-amber-soft"}`}
            >
              {advice}
            </li>
          ))}
        </ul>
      )}
      <Facts className="gap-y-2 px-4 pt-1">
        <Fact name="Oldest transaction">
          {data.oldestTransaction ? (
            <>
              {formatDuration(data.oldestTransaction.ageMs)}
              <span className="text-ink-3"> · {data.oldestTransaction.application || "unnamed"}</span>
            </>
          ) : (
            <span className="text-ink-3">none</span>
          )}
        </Fact>
        <Fact name="Dead rows">
          {dirtiest && dirtiest.deadRows > 0 ? (
            <>
              {formatCount(Math.round(dirtiest.deadRows))} in{" "}
              <span className="font-mono text-small">{dirtiest.table}</span>
              <span className="text-ink-3">
                {" "}
                ·{" "}
                {dirtiest.vacuumedAgoMs === null
                  ? "not vacuumed yet"
                  : `vacuumed ${formatDuration(dirtiest.vacuumedAgoMs)} ago`}
              </span>
            </>
          ) : (
            <span className="text-ink-3">none</span>
          )}
        </Fact>
        <Fact name="Heartbeats">
          {data.heartbeatLagMs === null ? (
            <span className="text-ink-3">no live worker</span>
          ) : (
            `last ${formatDuration(data.heartbeatLagMs)} ago`
          )}
        </Fact>
        <Fact name="Connections">
          {data.connections} <span className="text-ink-3">of {data.maxConnections}</span>
        </Fact>
        <Fact name="Size">
          {formatBytes(data.bytes)}
          {walRate !== null && <span className="text-ink-3"> · log {formatBytes(walRate)}/s</span>}
        </Fact>
      </Facts>
    </Card>
  );
}

/** Bytes of log a second between two answers; null until there are two. */
function useWalRate(data: DatabaseHealth | undefined): number | null {
  const seen = useRef<{ last: DatabaseHealth; rate: number | null } | null>(null);
  if (data && seen.current?.last.updatedAt !== data.updatedAt) {
    const last = seen.current?.last;
    const seconds = last ? (Date.parse(data.updatedAt) - Date.parse(last.updatedAt)) / 1_000 : 0;
    const grown = (data.walBytes ?? 0) - (last?.walBytes ?? 0);
    seen.current = {
      last: data,
      rate: last && seconds > 0 && grown >= 0 && data.walBytes !== null ? grown / seconds : null,
    };
  }
  return seen.current?.rate ?? null;
}
