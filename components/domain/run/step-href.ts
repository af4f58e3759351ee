/** The page of a run with one of its steps in the inspector. */
export const stepHref = (runId: string, step: string) => `/runs/${runId}?step=${encodeURIComponent(step)}`;
