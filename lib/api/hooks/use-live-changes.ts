"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { hrefOf } from "../client/browser";
import { noteInBrowser } from "../client/sight-of-browser";
import type { ChangeEvent, Heartbeat } from "../contract/responses";
import { ofAnyRun, ofRuns, overManyRuns, refresh } from "./query";

/** What the stream shows: it is open, the database answers or is silent behind it, or it is closed. */
export type StreamSign = "open" | "answers" | "silent" | "closed";

/** A new stream begins with what changed in the 10 s before it; the rest is for the clocks of server and browser. */
const COVERED_MS = 8_000;
// Two refetches a second are as fast as people can follow.
const ROUND_MS = 500;
/** A stream that is silent for longer has lost its other end. */
const DEAF_MS = 20_000;
/** A browser gives up on a stream that was refused: it is opened again, less and less often. */
const REOPEN_MS = 2_500;
const LONGEST_REOPEN_MS = 40_000;

/** Keeps the screen up to date. Mount it once; `paused` stops all updates. */
export function useLiveChanges({ paused, onSign }: { paused: boolean; onSign: (sign: StreamSign) => void }): void {
  const queryClient = useQueryClient();
  const missed = useRef(false);

  useEffect(() => {
    if (paused) {
      missed.current = true;
      return;
    }
    const refresher = new Refresher(queryClient);
    if (missed.current) refresher.add("all");
    missed.current = false;
    const stream = new ChangeStream(refresher, onSign);
    return () => {
      stream.end();
      refresher.stop();
    };
  }, [queryClient, paused, onSign]);
}

/** Follows the stream while the page is visible: a browser has six connections per host, for all tabs together. */
class ChangeStream {
  #source: EventSource | undefined;
  #everOpen = false;
  #reopenMs = REOPEN_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly refresher: Refresher,
    private readonly onSign: (sign: StreamSign) => void,
  ) {
    document.addEventListener("visibilitychange", this.#follow);
    this.#follow();
  }

  end(): void {
    document.removeEventListener("visibilitychange", this.#follow);
    this.#close();
  }

  readonly #follow = (): void => {
    if (document.visibilityState === "hidden") this.#close();
    else if (!this.#source) this.#open();
  };

  #close(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  #open(): void {
    const source = new EventSource(hrefOf("/v1/stream", {}));
    this.#source = source;
    this.#openAgainIn(DEAF_MS);
    source.addEventListener("open", () => {
      if (this.#everOpen || this.refresher.oldestMs() > COVERED_MS) this.refresher.add("all");
      this.#everOpen = true;
      this.#heard("open");
    });
    source.addEventListener("error", () => {
      this.onSign("closed");
      // Otherwise the browser opens it again itself.
      if (source.readyState !== EventSource.CLOSED) return;
      this.#openAgainIn(this.#reopenMs);
      this.#reopenMs = Math.min(LONGEST_REOPEN_MS, 2 * this.#reopenMs);
    });
    source.addEventListener("resync", ({ data }) => {
      noteInBrowser((JSON.parse(data) as ChangeEvent).wal ?? null);
      this.refresher.add("all");
      this.#heard("open");
    });
    source.addEventListener("change", ({ data }) => {
      const change = JSON.parse(data) as ChangeEvent;
      noteInBrowser(change.wal ?? null);
      this.refresher.add(change.many ? "runs" : change.runIds);
      this.#heard("open");
    });
    source.addEventListener("heartbeat", ({ data }) => {
      const { database } = JSON.parse(data) as Heartbeat;
      this.#heard(database ? "answers" : "silent");
    });
  }

  #heard(sign: StreamSign): void {
    this.#reopenMs = REOPEN_MS;
    this.#openAgainIn(DEAF_MS);
    this.onSign(sign);
  }

  #openAgainIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#close();
      this.#open();
    }, ms);
  }
}

/**
 * Gathers changes and refetches in rounds; the next round waits for the last one's answers, so a slow server gets fewer
 * requests.
 */
class Refresher {
  #all = false;
  #allRuns = false;
  #runIds = new Set<string>();
  #running = false;
  #stopped = false;

  constructor(private readonly queryClient: QueryClient) {}

  /** `runs`: too many to be named; `all`: unknown. */
  add(changed: "all" | "runs" | readonly string[]): void {
    if (changed === "all") this.#all = true;
    else if (changed === "runs") this.#allRuns = true;
    else for (const runId of changed) this.#runIds.add(runId);
    if (!this.#running) void this.#refreshUntilStill();
  }

  /** How long ago the oldest data on the screen was read. */
  oldestMs(): number {
    const shown = this.queryClient.getQueryCache().findAll({ type: "active" });
    const read = shown.filter(({ state }) => state.status === "success");
    return Math.max(0, ...read.map(({ state }) => Date.now() - state.dataUpdatedAt));
  }

  stop(): void {
    this.#stopped = true;
  }

  async #refreshUntilStill(): Promise<void> {
    this.#running = true;
    while (!this.#stopped && (this.#all || this.#allRuns || this.#runIds.size > 0)) {
      await Promise.all([this.#refresh(), new Promise((resolve) => setTimeout(resolve, ROUND_MS))]);
    }
    this.#running = false;
  }

  async #refresh(): Promise<void> {
    const runs = this.#allRuns ? ofAnyRun : ofRuns(new Set(this.#runIds));
    const touched = this.#all ? [() => true] : [overManyRuns, runs];
    this.#all = false;
    this.#allRuns = false;
    this.#runIds.clear();
    await refresh(this.queryClient, ...touched);
  }
}
