import type { NormalStep } from "@/lib/api/contract/steps";
import { formatDuration, plural } from "@/lib/format";

export const usualWords = ({ p50Ms, p95Ms, executions, version }: NormalStep): string =>
  `usually ${formatDuration(p50Ms)}, 95 % within ${formatDuration(p95Ms)} (${plural(executions, "execution")} of ${
    version === null ? "all versions" : `v${version}`
  } in a week)`;

export const goodWords = (tookMs: number): string => `${formatDuration(tookMs)} in a good run`;
