"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { NativeSelect } from "@/components/ui/form/native-select";
import { Card } from "@/components/ui/layout/card";
import type { VersionChanges as Answer } from "@/lib/api/contract/deploys";
import { versionChangesQuery } from "@/lib/api/hooks/version-hooks";
import { plural } from "@/lib/format";

type Changes = NonNullable<Answer["changes"]>;
type Option = Changes["declared"][number];
type Step = NonNullable<Changes["steps"]>[number];

/** How two versions of a workflow differ: the newest and the one before it, or others. Nothing while there is only one. */
export function VersionChanges({ workflow }: { workflow: string }) {
  const [chosen, setChosen] = useState<{ from?: number; to?: number }>({});
  const { data, error, refetch } = useQuery(versionChangesQuery(workflow, chosen));
  if (error) return <QueryFailure what="the changes between versions" error={error} onRetry={() => void refetch()} />;
  if (!data || data.versions.length < 2) return null;
  const { versions, changes } = data;
  const options = versions.map(({ version }) => ({ value: String(version), text: `v${version}` }));
  const choose = (end: "from" | "to") => (value: string) =>
    setChosen({
      ...(changes && { from: changes.from.version, to: changes.to.version }),
      ...chosen,
      [end]: Number(value),
    });
  return (
    <Card title="Changes between versions" className="pb-3.5">
      <div className="grid gap-3 px-4">
        <div className="flex flex-wrap gap-3">
          <NativeSelect
            label="From"
            className="w-28"
            options={options}
            value={String(changes?.from.version ?? chosen.from ?? "")}
            onChange={({ currentTarget }) => choose("from")(currentTarget.value)}
          />
          <NativeSelect
            label="To"
            className="w-28"
            options={options}
            value={String(changes?.to.version ?? chosen.to ?? "")}
            onChange={({ currentTarget }) => choose("to")(currentTarget.value)}
          />
        </div>
        {changes ? <Differences changes={changes} /> : <p className="text-ink-3">There is no earlier version.</p>}
      </div>
    </Card>
  );
}

/** In plain words. */
export function Differences({ changes: { from, to, steps, declared } }: { changes: Changes }) {
  const silent = [from, to].filter(({ runs }) => runs === 0).map(({ version }) => `v${version}`);
  return (
    <>
      <section aria-label="Steps" className="grid gap-1.5">
        {steps === null ? (
          <p className="text-ink-3">
            No run of {silent.join(" and ")} is there to compare steps with: they are known once runs have executed
            them.
          </p>
        ) : (
          <>
            {steps.length === 0 && <p className="text-ink-2">The same steps, with the same options.</p>}
            <ul className="grid gap-1.5">
              {steps.map((step) => (
                <StepLine key={step.step} step={step} />
              ))}
            </ul>
            <p className="text-ink-3 text-small">
              Steps of the last {plural(from.runs, "run")} of v{from.version} and {plural(to.runs, "run")} of v
              {to.version}. A step that none of them reached is not listed.
            </p>
          </>
        )}
      </section>
      {declared.length > 0 && (
        <section aria-label="Options of the workflow" className="grid gap-1">
          <h3 className="font-medium">Options of the workflow</h3>
          <ul className="grid gap-1">
            {declared.map((option) => (
              <li key={option.option} className="break-words">
                <OptionText option={option} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const LOOKS = {
  added: { sign: "+", word: "added", tone: "text-green" },
  removed: { sign: "−", word: "removed", tone: "text-red" },
  changed: { sign: "~", word: "changed", tone: "text-amber" },
} satisfies Record<Step["change"], object>;

function StepLine({ step: { step, change, options } }: { step: Step }) {
  const { sign, word, tone } = LOOKS[change];
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
      <span className={`${tone} font-medium`}>
        <span aria-hidden className="mr-1 inline-block w-2 font-mono">
          {sign}
        </span>
        {word}
      </span>
      <span className="break-all font-mono text-small">{step}</span>
      <span className="text-ink-2">
        {change === "changed"
          ? options.map((option, index) => (
              <span key={option.option}>
                {index > 0 && " · "}
                <OptionText option={option} />
              </span>
            ))
          : options.map(({ option, before, after }) => wordsOf(option, after ?? before ?? "")).join(" · ")}
      </span>
    </li>
  );
}

/** Of an added or removed step. */
const wordsOf = (option: string, value: string) => {
  if (option === "kind") return value;
  return option === "attempts" ? plural(Number(value), "attempt") : `${option} ${value}`;
};

function OptionText({ option: { option, before, after } }: { option: Option }) {
  // A field, an event: there or not.
  if ((before ?? after) === "yes" && (before === null || after === null))
    return (
      <>
        {option}: {after === null ? "removed" : "added"}
      </>
    );
  return (
    <>
      {option}: {before ?? "none"} <span aria-hidden>→</span>
      <span className="sr-only">is now</span> {after ?? "none"}
    </>
  );
}
