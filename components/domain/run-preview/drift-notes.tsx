import { Instant } from "@/components/parts/time/instant";
import { Callout } from "@/components/ui/feedback/callout";
import type { DriftView, Run } from "@/lib/api/contract/run";
import { plural } from "@/lib/format";

const NAMED = 5;

/** Recorded steps that passes found missing in the code, latest first. */
export function DriftNotes({ run }: { run: Run }) {
  return run.drift.toReversed().map((note) => <DriftNote key={`${note.generation} ${note.version}`} note={note} />);
}

function DriftNote({ note }: { note: DriftView }) {
  const { version, gone, goneCount, next, stopped, at } = note;
  const rest = goneCount - Math.min(gone.length, NAMED);
  return (
    <Callout
      tone="amber"
      title={stopped ? `Version ${version} does not fit: stopped before harm` : `Version ${version} took another path`}
    >
      <dl className="grid gap-x-3 text-ink-2 @[320px]:grid-cols-[auto_minmax(0,1fr)]">
        {goneCount > 0 && (
          <>
            <dt>Completed, not reached again</dt>
            <dd className="break-words font-mono text-ink text-small">
              {gone.slice(0, NAMED).join(", ")}
              {rest > 0 && ` and ${plural(rest, "more step")}`}
            </dd>
          </>
        )}
        <dt>{stopped ? "Would have continued" : "New, before completed steps"}</dt>
        <dd className="break-words text-ink">
          {next === null ? (
            "to its end"
          ) : (
            <>
              {stopped && "at "}
              <span className="font-mono text-small">{next}</span>
            </>
          )}
        </dd>
      </dl>
      <p className="mt-1 text-ink-2">
        Found <Instant at={at} />.{" "}
        {stopped
          ? "Deploy matching code, then rerun."
          : "The run continued. Steps that its code left out keep their results."}
      </p>
    </Callout>
  );
}
