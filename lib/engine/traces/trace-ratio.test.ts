import { ROOT_CONTEXT } from "@opentelemetry/api";
import { SamplingDecision, TraceIdRatioBasedSampler } from "@opentelemetry/sdk-trace-node";
import { expect, it } from "vitest";
import { randomSecret } from "../digest";
import { isChosen, ratioOf } from "./trace-ratio";

it.each([
  ["parentbased_traceidratio", "0.01", 0.01],
  ["traceidratio", "1", 1],
  ["traceidratio", "0", 0],
  ["traceidratio", undefined, null],
  ["traceidratio", " ", null],
  ["traceidratio", "a tenth", null],
  ["traceidratio", "1.1", null],
  ["parentbased_always_on", "0.01", null],
  [undefined, "0.01", null],
])("%s with %s is %s", (sampler, argument, ratio) => {
  expect(ratioOf(sampler, argument)).toBe(ratio);
});

it.each([0, 0.01, 0.5, 1])("at %d chooses the traces that the SDK's sampler samples", (ratio) => {
  const sampler = new TraceIdRatioBasedSampler(ratio);
  for (let n = 0; n < 5_000; n++) {
    const traceId = randomSecret(16).toString("hex");
    const sampled = sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
    expect(isChosen(traceId, ratio)).toBe(sampled);
  }
});
