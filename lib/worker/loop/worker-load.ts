/** What a worker has in hand. */
export interface WorkerLoad {
  slots: number;
  used: number;
  /** Waiting for a flush. */
  records: number;
  leaseMs: number;
  /** Since the last answered heartbeat was sent; null before the first. */
  silentMs: number | null;
  isStopping: boolean;
}
