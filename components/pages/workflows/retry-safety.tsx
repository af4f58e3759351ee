"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleHelp, CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { Instant } from "@/components/parts/time/instant";
import { Card } from "@/components/ui/layout/card";
import type { Verification } from "@/lib/api/contract/verifications";
import { verificationsQuery } from "@/lib/api/hooks/version-hooks";
import { formatCount, plural } from "@/lib/format";

/** What `handrail verify --publish` stored of the workflow. @param version the newest one that a worker registered */
export function RetrySafety({ workflow, version }: { workflow: string; version: number }) {
  const { data, error, refetch } = useQuery(verificationsQuery(workflow));
  if (error) return <QueryFailure what="the verification" error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return <RetrySafetyCard workflow={workflow} version={version} verifications={data.verifications} />;
}

interface Shown {
  workflow: string;
  version: number;
  /** Newest version first. */
  verifications: readonly Verification[];
}

export function RetrySafetyCard({ workflow, version, verifications }: Shown) {
  const current = verifications.find((one) => one.version === version);
  const latest = verifications[0];
  return (
    <Card title="Retry safety" note={`v${version}`} className="pb-3.5">
      <div className="grid gap-2.5 px-4">
        {current ? (
          <Verified verification={current} />
        ) : (
          <>
            <p className="font-medium">Not verified</p>
            <p className="text-ink-2">
              {latest && (
                <>
                  Version {latest.version}: {resultOf(latest)} <Instant at={latest.verifiedAt} />.{" "}
                </>
              )}
              Verify this version with{" "}
              <code className="break-all font-mono text-small">npx handrail verify {workflow} --publish</code>
            </p>
          </>
        )}
      </div>
    </Card>
  );
}

const resultOf = ({ findings, passed, trials }: Verification): string =>
  findings.length === 0
    ? `verified ${formatCount(passed)} of ${formatCount(trials)}`
    : `${plural(findings.length, "finding")}, ${formatCount(passed)} of ${formatCount(trials)} trials passed`;

function Verified({ verification }: { verification: Verification }) {
  const { steps, findings, asked, commit, by, verifiedAt } = verification;
  const isSafe = findings.length === 0;
  const named = new Set(steps);
  const others = [...new Set([...findings, ...asked].flatMap(({ step }) => (step && !named.has(step) ? [step] : [])))];
  const between = findings.filter(({ step }) => step === null);
  const result = resultOf(verification);
  return (
    <>
      <div>
        <p className={isSafe ? "font-medium text-green" : "font-medium text-red"}>
          {result[0]?.toUpperCase()}
          {result.slice(1)}
        </p>
        <p className="text-ink-3 text-small">
          <Instant at={verifiedAt} />
          {commit !== null && (
            <>
              {" · commit "}
              <span className="break-all font-mono">{commit}</span>
            </>
          )}
          {` · published by ${by}`}
        </p>
      </div>
      <ul className="grid gap-2">
        {[...steps, ...others].map((step) => (
          <StepLine
            key={step}
            name={<span className="break-all font-mono text-small">{step}</span>}
            findings={findings.filter((one) => one.step === step)}
            asked={asked.filter((one) => one.step === step)}
          />
        ))}
        {between.length > 0 && <StepLine name="Between steps" findings={between} asked={[]} />}
      </ul>
    </>
  );
}

interface Line extends Pick<Verification, "findings" | "asked"> {
  name: ReactNode;
}

/** A step, with what was found of it. */
function StepLine({ name, findings, asked }: Line) {
  const [Icon, tone, words] =
    findings.length > 0
      ? ([CircleX, "text-red", "has a finding"] as const)
      : asked.length > 0
        ? ([CircleHelp, "text-amber", "may ask a person"] as const)
        : ([CircleCheck, "text-green", "no finding"] as const);
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-2">
      <Icon aria-hidden className={`mt-0.5 size-4 ${tone}`} />
      <div className="grid min-w-0 gap-1">
        <p>
          {name}
          <span className="sr-only"> {words}</span>
        </p>
        {findings.map(({ kind, seen, todo, line, faults }) => (
          <div key={`${kind} ${line} ${seen}`} className="break-words text-ink-2">
            <p className="text-ink first-letter:uppercase">
              {seen}
              {faults.length > 0 && `: ${faults.join(", then ")}`}
            </p>
            <p>{todo}</p>
            <SourceLine line={line} />
          </div>
        ))}
        {asked.map(({ why, line }) => (
          <div key={why} className="break-words text-ink-2">
            <p className="first-letter:uppercase">{why}</p>
            <SourceLine line={line} />
          </div>
        ))}
      </div>
    </li>
  );
}

const SourceLine = ({ line }: { line: string | null }) =>
  line !== null && <p className="break-all font-mono text-ink-3 text-small">{line}</p>;
