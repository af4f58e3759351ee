interface RunsBetween {
  fromMs: number;
  untilMs: number;
  workflow: readonly string[];
  status?: "failed" | null;
}

/** The list of runs that were started then. */
export function runsBetween({ fromMs, untilMs, workflow, status }: RunsBetween): string {
  const query = new URLSearchParams();
  if (status) query.set("status", status);
  if (workflow.length > 0) query.set("workflow", workflow.join(","));
  query.set("since", new Date(fromMs).toISOString());
  query.set("until", new Date(untilMs).toISOString());
  return `/runs?${query}`;
}
