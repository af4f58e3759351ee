import Link from "next/link";
import { Unseen } from "@/components/domain/problems/problem-item";
import { ProblemTitle } from "@/components/domain/problems/problem-title";
import { lookOf } from "@/components/domain/problems/problem-words";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import type { Problem } from "@/lib/api/contract/problems";

/** Problems that the viewer watches and that changed since they looked. A row is gone once its problem was opened. */
export const WatchedRows = ({ problems }: { problems: Problem[] }) =>
  problems.map((problem) => (
    <li
      key={problem.id}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t py-2.5 first:border-t-0"
    >
      <StatusLabel look={lookOf(problem)} shapeOnly />
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 break-words font-medium">
          <Link href={`/problems/${problem.id}`} className="hover:underline">
            <ProblemTitle problem={problem} />
          </Link>
          {problem.watch?.change && <Unseen change={problem.watch.change} />}
        </p>
        <p className="line-clamp-2 break-words text-ink-3 text-small">
          You watch it · {problem.title}
          {problem.watch?.change && (
            <>
              {" "}
              · changed <Instant at={problem.watch.change.at} as="relative" />
            </>
          )}{" "}
          · {problem.example.pattern}
        </p>
      </div>
      <Button asChild className="max-md:flex-1">
        <Link href={`/problems/${problem.id}`}>View problem</Link>
      </Button>
    </li>
  ));
