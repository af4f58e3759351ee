import type { RunListItem } from "@/lib/api/contract/run";
import { shortenMiddle } from "@/lib/format";
import { Inspector } from "../shell/inspector";
import { RunPreview } from "./run-preview-later";
import { businessKeyOf } from "./run-words";

interface RunBesideProps {
  runId: string;
  /** Of the list, which knows what people call it. */
  runs: readonly RunListItem[];
  onClose: () => void;
}

/** The chosen run in the inspector. */
export function RunBeside({ runId, runs, onClose }: RunBesideProps) {
  const listed = runs.find(({ id }) => id === runId);
  const name = listed && businessKeyOf(listed);
  return (
    <Inspector
      title={
        <span title={name ?? runId} className="font-mono text-small">
          {name ?? shortenMiddle(runId)}
        </span>
      }
      href={`/runs/${runId}`}
      onClose={onClose}
    >
      <RunPreview key={runId} runId={runId} />
    </Inspector>
  );
}
