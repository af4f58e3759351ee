/** The failed runs of a version of a workflow. */
export const versionRuns = (workflow: string, version: number): string =>
  `/runs?status=failed&workflow=${encodeURIComponent(workflow)}&version=${version}`;

/** Those that failed at a step; null for a step without a fixed name, as `send-<n>`. */
export const stepRuns = (workflow: string, step: string | null): string | null =>
  step === null || step.includes("<")
    ? null
    : `/runs?status=failed&workflow=${encodeURIComponent(workflow)}&step=${encodeURIComponent(step)}`;
