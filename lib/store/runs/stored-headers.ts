import type { Headers } from "../../engine/runs/headers";

/** Headers as the JSON text that statements take; null for none. */
export const storedHeaders = ({ headers }: { headers?: Headers | null }): string | null =>
  headers ? JSON.stringify(headers) : null;
