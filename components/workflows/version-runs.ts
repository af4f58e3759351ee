/** The failed runs of a version of a workflow. */
export const versionRuns = (workflow: string, version: number): string =>
  `/runs?status=failed&workflow=${encodeURIComponent(workflow)}&version=${version}`;

/** Those that failed at a step; null for a step that has no name of its own, as `send-<n>`. */
export const stepRuns = (workflow: string, step: string | null): string | null =>
  step === null || step.includes("<")
    ? null
    : `/runs?status=failed&workflow=${encodeURIComponent(workflow)}&step=${encodeURIComponent(step)}`;
