/** One line of the file of samples. */
export interface Sample {
  /** Seconds since the soak's begin. */
  at: number;
  runsASecond: number;
  stepsASecond: number;
  /** Flushes of all workers in this interval, in milliseconds; null: there were none. */
  flushP50: number | null;
  flushP99: number | null;
  /** Of each table, with its TOAST, and of each index, in bytes. */
  bytes: Record<string, number>;
  deadTuples: number;
  walBytesASecond: number;
  /** Ready runs that no worker has. */
  backlog: number;
  workers: { pid: number; version: number; ageSeconds: number; mb: number }[];
  /** Null: no console takes part. */
  consoleMb: number | null;
  /** 95th percentile of the readers' requests in this interval, in milliseconds. */
  readsP95: number | null;
  kills: number;
  deploys: number;
}

export const totalBytes = ({ bytes }: Pick<Sample, "bytes">): number =>
  Object.values(bytes).reduce((sum, one) => sum + one, 0);
