"use client";

import { type ReactNode, useState } from "react";
import { TextField } from "@/components/ui/form/text-field";
import { useHydrated } from "@/components/ui/hooks/use-hydrated";
import {
  instantsOf,
  offsetWords,
  readWallTime,
  skippedWords,
  wallTimeAt,
  zoneWords,
} from "@/lib/engine/schedules/wall-time";
import { useTimes } from "./viewer-formats";

interface InstantFieldProps {
  label: string;
  value: Date | null;
  onChange: (at: Date | null) => void;
}

/**
 * A point in time, to the minute, by the clocks of the zone in which the viewer sees times; it says which one. Of a time that these
 * clocks show twice the first is taken, and the second offered; one that they skip is none.
 */
export function InstantField({ label, value, onChange }: InstantFieldProps) {
  // The server does not know the viewer's zone.
  const shown = useHydrated() ? value : null;
  const { zone } = useTimes();
  const [typed, setTyped] = useState("");
  const wall = readWallTime(typed);
  const isSkipped = shown === null && !Number.isNaN(wall) && instantsOf(wall, zone).length === 0;
  return (
    <TextField
      label={label}
      type="datetime-local"
      className="max-sm:col-span-2" // a narrow one would cut its time off
      hint={<Hint {...{ zone, shown, onChange }} />}
      error={isSkipped ? `${skippedWords(wall, zone)} Choose an earlier or later time.` : undefined}
      value={isSkipped ? typed : shown === null ? "" : wallTimeAt(shown.getTime(), zone)}
      onChange={({ target }) => {
        setTyped(target.value);
        const [first] = instantsOf(readWallTime(target.value), zone);
        onChange(first === undefined ? null : new Date(first));
      }}
    />
  );
}

interface HintProps {
  zone: string;
  shown: Date | null;
  onChange: (at: Date) => void;
}

function Hint({ zone, shown, onChange }: HintProps): ReactNode {
  if (shown === null) return zoneWords(zone);
  const at = shown.getTime();
  const [first = at, second] = instantsOf(readWallTime(wallTimeAt(at, zone)), zone);
  const offset = offsetWords(zone, at);
  const name = zone === offset ? zone : `${zoneWords(zone)}, ${offset}`;
  if (second === undefined) return name;
  const [which, other, otherAt] =
    at < second ? (["first", "second", second] as const) : (["second", "first", first] as const);
  return (
    <>
      {name}: the {which} of two, because the clocks go back.{" "}
      <button
        type="button"
        onClick={() => onChange(new Date(otherAt))}
        className="min-h-6 rounded text-accent hover:underline"
      >
        Take the {other}, {offsetWords(zone, otherAt)}
      </button>
    </>
  );
}
