/** Of a run's row or card in the page. */
export const rowId = (runId: string) => `run-${runId}`;
