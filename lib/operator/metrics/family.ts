/** One metric with its values, as every exposition format has it. */
export interface Family {
  /** By Prometheus' conventions: base units, `_total` for counters. */
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  values: MetricValue[];
}

export interface MetricValue {
  value: number;
  labels: Record<string, string>;
  /** Of a histogram: with `_bucket`, `_sum` or `_count`. */
  metricName?: string;
}

export const gauge = (name: string, help: string, values: MetricValue[]): Family => ({
  name,
  help,
  type: "gauge",
  values,
});
export const counter = (name: string, help: string, values: MetricValue[]): Family => ({
  name,
  help,
  type: "counter",
  values,
});

/** A histogram of counts that are kept by their upper bounds, the last one of what is above them all. */
export function histogram(
  name: string,
  help: string,
  { bounds, counts, sum }: { bounds: readonly number[]; counts: ArrayLike<number>; sum: number },
): Family {
  let total = 0;
  const buckets = Array.from(counts, (count, place) => {
    total += count;
    return { value: total, labels: { le: String(bounds[place] ?? "+Inf") }, metricName: `${name}_bucket` };
  });
  const values = [
    ...buckets,
    { value: sum, labels: {}, metricName: `${name}_sum` },
    { value: total, labels: {}, metricName: `${name}_count` },
  ];
  return { name, help, type: "histogram", values };
}

/** A gauge without labels; without a value while there is nothing to measure. */
export const single = (name: string, help: string, value: number | null): Family =>
  gauge(name, help, value === null ? [] : [{ value, labels: {} }]);
