import type { Query, QueryClient } from "@tanstack/react-query";
import { ApiError } from "@/lib/api/client/client";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import { overviewQuery } from "@/lib/api/hooks/queries";
import { isOfCell, refresh } from "@/lib/api/hooks/query";
import type { StreamSign } from "@/lib/api/hooks/use-live-changes";
import { type Health, type HealthFacts, isCutOff, judgeHealth, sameHealth } from "./health";
import { isOfDatabase } from "./use-last-update";

const TICK_MS = 1_000;
/** A tick that comes later than this was held back: the computer slept, or the tab was in the background. */
const HELD_BACK_MS = 5_000;
/** A heartbeat is late. */
const LATE_MS = 8_000;
/** How often a console that is not heard is asked. */
const PROBE_MS = 5_000;

/**
 * The health of the data on the screen: gathers what pages' own reads and the stream's heartbeats show, and asks nothing itself but the
 * overview, which every page reads, when the stream breaks off.
 */
export class HealthWatch {
  #health: Health = { is: "connecting" };
  readonly #heard = new Set<() => void>();
  #tickedMs = Date.now();
  #probedMs = 0;
  readonly #onItsWay = new Map<string, number>();
  #signs = { heardMs: Date.now(), lostMs: null as number | null, answeredMs: Date.now(), silent: false };
  #beats = false;
  #offlineMs: number | null = null;
  #paused = false;

  constructor(private readonly queryClient: QueryClient) {}

  readonly subscribe = (onChange: () => void) => {
    this.#heard.add(onChange);
    return () => this.#heard.delete(onChange);
  };

  readonly health = (): Health => this.#health;

  /** @returns the function that ends it */
  start(): () => void {
    this.#resume();
    this.#onNetwork();
    const reads = this.queryClient.getQueryCache();
    const ends = [
      reads.subscribe(({ type, query, ...event }) => {
        if (type === "removed") this.#onItsWay.delete(query.queryHash);
        if (type === "updated" && "action" in event) this.#onRead(query, event.action);
      }),
      this.queryClient.getMutationCache().subscribe((event) => {
        if (event.type === "updated" && "error" in event.action) this.#onAnswer(event.action.error, false);
      }),
    ];
    const timer = setInterval(this.#tick, TICK_MS);
    addEventListener("online", this.#onNetwork);
    addEventListener("offline", this.#onNetwork);
    document.addEventListener("visibilitychange", this.#tick);
    return () => {
      for (const end of ends) end();
      clearInterval(timer);
      removeEventListener("online", this.#onNetwork);
      removeEventListener("offline", this.#onNetwork);
      document.removeEventListener("visibilitychange", this.#tick);
    };
  }

  setPaused(paused: boolean): void {
    if (this.#paused && !paused) this.#resume();
    this.#paused = paused;
    this.#judge();
  }

  readonly onSign = (sign: StreamSign): void => {
    this.#beats = sign !== "closed";
    if (sign === "closed") this.#probe();
    else this.#onHeard();
    if (sign === "answers") this.#onDatabase();
    if (sign === "silent") this.#signs.silent = true;
    this.#judge();
  };

  readonly #onNetwork = (): void => {
    this.#offlineMs = navigator.onLine ? null : (this.#offlineMs ?? Date.now());
    this.#judge();
  };

  #onRead(query: Query, action: { type: string; manual?: boolean; error?: unknown }): void {
    if (isOfCell(query)) return;
    if (query.state.fetchStatus !== "fetching") this.#onItsWay.delete(query.queryHash);
    else if (!this.#onItsWay.has(query.queryHash)) this.#onItsWay.set(query.queryHash, Date.now());
    if (action.type === "success" && !action.manual) {
      this.#onHeard();
      if (isOfDatabase(query)) this.#onDatabase();
    } else if (action.type === "failed" || action.type === "error") this.#onAnswer(action.error, true);
    this.#judge();
  }

  /** A refusal is an answer, too. */
  #onAnswer(error: unknown, isRead: boolean): void {
    if (!(error instanceof ApiError)) return;
    if (isOfTheConsole(error)) this.#onHeard();
    else this.#signs.lostMs ??= Date.now();
    if (isRead && error.code === "unavailable") this.#signs.silent = true;
  }

  #onHeard(): void {
    this.#signs.heardMs = Date.now();
    this.#signs.lostMs = null;
  }

  #onDatabase(): void {
    this.#signs.answeredMs = Date.now();
    this.#signs.silent = false;
  }

  /** What was not heard meanwhile says nothing. */
  #resume(): void {
    this.#signs.heardMs = Date.now();
    this.#tickedMs = Date.now();
    this.#onItsWay.clear();
  }

  /** A stream that breaks off is no proof: it may be cut by what lies between. */
  #probe(): void {
    if (Date.now() - this.#probedMs < PROBE_MS) return;
    this.#probedMs = Date.now();
    void this.queryClient.refetchQueries(
      { queryKey: overviewQuery().queryKey, type: "active" },
      { cancelRefetch: false },
    );
  }

  readonly #tick = (): void => {
    if (document.visibilityState === "hidden") return;
    if (Date.now() - this.#tickedMs > HELD_BACK_MS) this.#resume();
    this.#tickedMs = Date.now();
    const isLate = this.#beats && !this.#paused && Date.now() - this.#signs.heardMs > LATE_MS;
    if (isLate || this.#signs.lostMs !== null) this.#probe();
    this.#judge();
  };

  #judge(): void {
    const before = this.#health;
    const next = judgeHealth(this.#facts());
    if (sameHealth(before, next)) return;
    this.#health = next;
    for (const tell of this.#heard) tell();
    if (isCutOff(before) && !isCutOff(next)) void refresh(this.queryClient, () => true);
  }

  #facts(): HealthFacts {
    const shown = this.queryClient.getQueryCache().findAll({ type: "active", predicate: (query) => !isOfCell(query) });
    const waiting = shown.flatMap(({ queryHash }) => this.#onItsWay.get(queryHash) ?? []);
    const failing = shown.filter(hasFailed).map(({ state }) => state.dataUpdatedAt);
    return {
      ...this.#signs,
      nowMs: Date.now(),
      hasData: shown.some((query) => isOfDatabase(query) && query.state.dataUpdatedAt > 0),
      offlineMs: this.#offlineMs,
      paused: this.#paused,
      waitingMs: waiting.length > 0 ? Math.min(...waiting) : null,
      failingMs: failing.length > 0 ? Math.min(...failing) : null,
      workerless: isWorkerless(this.queryClient.getQueryData(overviewQuery().queryKey)),
    };
  }
}

/** Not of a proxy before it, which has no id of the request to give. */
const isOfTheConsole = ({ status, requestId }: ApiError) => status !== 0 && (status < 500 || requestId !== null);

/** It is on the screen, and could not be read again. What never came says so in its place. */
const hasFailed = ({ state: { status, error, dataUpdatedAt } }: Query) =>
  status === "error" && dataUpdatedAt > 0 && !(error instanceof ApiError && error.status >= 400 && error.status < 500);

function isWorkerless(overview: OverviewResponse | undefined): boolean {
  return overview?.workers.live === 0 && Object.values(overview.byStatus).some((count) => count > 0);
}
