/**
 * The share of traces that an SDK samples by their ids, as OpenTelemetry's variables say it: OTEL_TRACES_SAMPLER and its
 * OTEL_TRACES_SAMPLER_ARG. Null: they do not say, or another sampler.
 */
export function ratioOf(sampler: string | undefined, argument: string | undefined): number | null {
  if (sampler !== "traceidratio" && sampler !== "parentbased_traceidratio") return null;
  const ratio = argument?.trim() ? Number(argument) : Number.NaN;
  return ratio >= 0 && ratio <= 1 ? ratio : null;
}

/** As the SDK's TraceIdRatioBasedSampler decides, so that it says the same of a run's start. */
export function isChosen(traceId: string, ratio: number): boolean {
  if (ratio === 1) return true;
  let sum = 0;
  for (let at = 0; at < 32; at += 8) sum = (sum ^ Number.parseInt(traceId.slice(at, at + 8), 16)) >>> 0;
  return sum < Math.floor(ratio * 0xffff_ffff);
}
