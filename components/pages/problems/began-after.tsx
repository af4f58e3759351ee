import { DeployLink } from "@/components/domain/deploys/deploy-link";
import type { ProblemDetail } from "@/lib/api/contract/problems";
import { formatDuration } from "@/lib/format";

type Began = Pick<ProblemDetail, "deployBefore" | "firstAt" | "cameBack">;

/** "Began 4 min after deploy 9f3c2d1"; nothing without a deploy within the day before. */
export function BeganAfter({ problem: { deployBefore, firstAt, cameBack } }: { problem: Began }) {
  if (deployBefore === null) return null;
  const ms = Date.parse(cameBack?.at ?? firstAt) - Date.parse(deployBefore.at);
  return (
    <p className="text-ink-2">
      {cameBack ? "Came back" : "Began"} {formatDuration(Math.max(0, ms))} after deploy{" "}
      <DeployLink deploy={deployBefore} />
    </p>
  );
}
