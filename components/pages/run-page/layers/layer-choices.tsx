"use client";

import { useQuery } from "@tanstack/react-query";
import { Layers3 } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Popover } from "@/components/ui/overlay/popover";
import { runNormalQuery } from "@/lib/api/hooks/beside-hooks";
import { LAYERS, type Layer } from "./layer";

interface LayerChoicesProps {
  runId: string;
  shown: readonly Layer[];
  onToggle: (layer: Layer) => void;
}

/** What is drawn beside the steps. */
export function LayerChoices({ runId, shown, onToggle }: LayerChoicesProps) {
  const [open, setOpen] = useState(false);
  const { data } = useQuery({ ...runNormalQuery(runId), enabled: open });
  const hints = {
    usual: "Median to 95th percentile of a week, below each bar",
    good: data ? <GoodRun runId={data.goodRun?.runId} at={data.goodRun?.createdAt} /> : "The same step of a good run",
    logs: "Dots above the bars; each opens its line",
    spans: "What the app's spans say each attempt called",
  };
  return (
    <Popover
      label="Overlays"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="ghost" aria-label="Overlays" className="max-md:w-11 max-md:px-0">
          <Layers3 aria-hidden className="size-3.5" />
          <span className="max-lg:hidden">Overlays</span>
        </Button>
      }
    >
      <fieldset className="grid gap-2.5 p-3">
        <legend className="sr-only">Overlays of the timeline</legend>
        {LAYERS.map((layer) => (
          <Checkbox
            key={layer}
            label={LABELS[layer]}
            hint={hints[layer]}
            checked={shown.includes(layer)}
            onChange={() => onToggle(layer)}
          />
        ))}
      </fieldset>
    </Popover>
  );
}

const LABELS: Record<Layer, string> = {
  usual: "Usual time",
  good: "A good run",
  logs: "Log lines",
  spans: "Spans",
};

function GoodRun({ runId, at }: { runId: string | undefined; at: string | undefined }) {
  if (runId === undefined || at === undefined) return "No run of this version completed without a repair lately.";
  return (
    <>
      <Link href={`/runs/${runId}`} prefetch={false} className="text-accent underline">
        The newest of this version that completed
      </Link>
      , <Instant at={at} />
    </>
  );
}
