import Link from "next/link";
import { attemptsText, heldText, muteText, watchersText } from "@/components/domain/problems/problem-words";
import { Instant } from "@/components/parts/time/instant";
import { Card } from "@/components/ui/layout/card";
import { Fact, Facts } from "@/components/ui/layout/facts";
import type { ProblemDetail } from "@/lib/api/contract/problems";
import { formatCount, plural } from "@/lib/format";

/** Its facts, and the versions of the code in which it was seen. */
export function AboutProblem({ problem }: { problem: ProblemDetail }) {
  return (
    <Card title="Details">
      <div className="px-4 pb-4">
        <ProblemFacts problem={problem} />
        <Versions problem={problem} />
      </div>
    </Card>
  );
}

export function ProblemFacts({ problem }: { problem: ProblemDetail }) {
  const { workflow, title, firstAt, lastAt, failures, returned, openRuns, assignee, watchers, status } = problem;
  const attempts = attemptsText(problem);
  return (
    <Facts>
      <Fact name="Workflow">
        <Link href={`/runs?workflow=${encodeURIComponent(workflow)}`} className="hover:underline">
          {title}
        </Link>
      </Fact>
      <Fact name="Affected now">{heldText(openRuns)}</Fact>
      <Fact name="Failures">
        {formatCount(failures)}
        {attempts && <span className="text-ink-3"> · {attempts}</span>}
      </Fact>
      {returned > 0 && <Fact name="Reopened">{plural(returned, "repaired run")} failed again</Fact>}
      <Fact name="First seen">
        <Instant at={firstAt} />
      </Fact>
      <Fact name="Last seen">
        <Instant at={lastAt} />
      </Fact>
      <Fact name="Since then">
        <SinceLastFailure problem={problem} />
      </Fact>
      <Fact name="Assigned">{assignee ?? <span className="text-ink-3">unassigned</span>}</Fact>
      <Fact name="Watchers">{watchersText(watchers)}</Fact>
      {status === "muted" && (
        <Fact name="Muted">
          {muteText(problem)}
          {problem.mutedUntil && (
            <>
              {" "}
              (<Instant at={problem.mutedUntil} />)
            </>
          )}
        </Fact>
      )}
      {problem.resolvedIn !== null && <Fact name="Fixed in">version {problem.resolvedIn}</Fact>}
    </Facts>
  );
}

/** Whether what failed works again, as far as the newest runs tell. */
function SinceLastFailure({ problem: { sinceLastFailure, step, example } }: { problem: ProblemDetail }) {
  const { successes, lastAt, ofRuns } = sinceLastFailure;
  const among = `the latest ${formatCount(ofRuns)} runs`;
  if (!lastAt) return <>no success among {among}</>;
  return (
    <>
      <span className="font-medium text-green">
        {plural(successes, "run")} got through {step ?? example.step ?? "to the end"}
      </span>
      , last <Instant at={lastAt} as="relative" />
      <span className="text-ink-3"> · of {among}</span>
    </>
  );
}

function Versions({ problem: { versions } }: { problem: ProblemDetail }) {
  return (
    <table className="mt-3 w-full border-line border-t text-left">
      <caption className="sr-only">Failures by code version</caption>
      <thead className="text-ink-3 text-small">
        <tr>
          <th className="py-1.5 font-normal">Version</th>
          <th className="py-1.5 text-right font-normal">Failures</th>
          <th className="py-1.5 text-right font-normal">Last</th>
        </tr>
      </thead>
      <tbody>
        {versions.map(({ version, failures, lastAt }) => (
          <tr key={version} className="border-line border-t">
            <td className="py-1.5">{version}</td>
            <td className="py-1.5 text-right">{formatCount(failures)}</td>
            <td className="py-1.5 text-right text-ink-2">
              <Instant at={lastAt} as="relative" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
