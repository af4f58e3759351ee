"use client";

import { Inspector } from "@/components/parts/page/inspector";
import { PreviewSkeleton } from "@/components/parts/page/preview-skeleton";
import { later } from "@/components/ui/later";
import { shortenMiddle } from "@/lib/format";

const RunPreview = later(
  () => import("./run-preview").then((part) => part.RunPreview),
  <PreviewSkeleton what="the run" />,
);

interface RunBesideProps {
  runId: string;
  /** What people call it, where the list knows. */
  name: string | null | undefined;
  onClose: () => void;
}

/** The chosen run in the inspector. */
export const RunBeside = ({ runId, name, onClose }: RunBesideProps) => (
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
