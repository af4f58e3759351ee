import type { Problem } from "@/lib/api/contract/problems";
import { KIND_WORDS } from "./problem-words";

/** What failed, and where. */
export function ProblemTitle({ problem: { kind, errorName, step } }: { problem: Problem }) {
  return (
    <>
      {KIND_WORDS[kind]}
      {errorName}
      {step && (
        <>
          {" "}
          at <span className="font-mono text-[.92em]">{step}</span>
        </>
      )}
    </>
  );
}
