"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { runNormalQuery, useLines } from "@/lib/api/hooks/beside-hooks";
import { nestedStepsQuery } from "@/lib/api/hooks/queries";
import { useSpans } from "@/lib/api/hooks/span-hooks";
import type { Layer, Layers } from "./layer";
import { layersOf } from "./layers-of";

interface ReadLayersProps {
  runId: string;
  shown: readonly Layer[];
  onLayers: (layers: Layers | null) => void;
}

/** Reads what the shown layers consist of, and nothing else; draws nothing. */
export function ReadLayers({ runId, shown, onLayers }: ReadLayersProps) {
  const [usual, good] = [shown.includes("usual"), shown.includes("good")];
  const [logs, spans] = [shown.includes("logs"), shown.includes("spans")];
  const normal = useQuery({ ...runNormalQuery(runId), enabled: usual || good }).data;
  const goodId = normal?.goodRun?.runId;
  const goodSteps = useQuery({
    ...nestedStepsQuery(goodId ?? "", { as: "good", live: false }),
    enabled: good && goodId !== undefined,
  }).data?.steps;
  const lines = useLines(runId, logs).data;
  const received = useSpans(runId, spans).data?.spans;
  const layers = useMemo(
    () =>
      layersOf({
        runId,
        usual: usual && normal ? normal.steps : null,
        good: good && goodSteps ? goodSteps : null,
        logs: logs && lines ? lines : null,
        spans: spans && received ? received : null,
      }),
    [runId, usual, good, logs, spans, normal, goodSteps, lines, received],
  );
  useEffect(() => onLayers(layers), [layers, onLayers]);
  useEffect(() => () => onLayers(null), [onLayers]);
  return null;
}
