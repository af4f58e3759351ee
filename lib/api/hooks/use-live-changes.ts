"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { hrefOf } from "../client/client";
import type { ChangeEvent } from "../contract/responses";
import { ofAnyRun, ofRuns, overManyRuns, refresh } from "./query";

/** `offline`: the stream is down and the browser reconnects; queries keep polling, slower. */
export type LiveStatus = "connecting" | "live" | "paused" | "offline";

/** A new stream begins with what changed in the 10 s before it; the rest is for the clocks of server and browser. */
const COVERED_MS = 8_000;
// Two refetches a second are as fast as people can follow.
const ROUND_MS = 500;

/** Keeps the screen up to date. Mount it once; `paused` stops all updates. */
export function useLiveChanges({ paused = false }: { paused?: boolean } = {}): LiveStatus {
  const queryClient = useQueryClient();
  const [status, setStatus] = useState<LiveStatus>("connecting");
  const missed = useRef(false);

  useEffect(() => {
    if (paused) {
      missed.current = true;
      return;
    }
    const refresher = new Refresher(queryClient);
    if (missed.current) refresher.add("all");
    missed.current = false;
    const close = followStream(refresher, setStatus);
    return () => {
      close();
      refresher.stop();
    };
  }, [queryClient, paused]);

  return paused ? "paused" : status;
}

/** Follows the stream while the page is visible: a browser has six connections per host, for all tabs together. */
function followStream(refresher: Refresher, onStatus: (status: LiveStatus) => void): () => void {
  let source: EventSource | undefined;
  let everOpen = false;

  const open = () => {
    source = new EventSource(hrefOf("/v1/stream", {}));
    source.addEventListener("open", () => {
      if (everOpen || refresher.oldestMs() > COVERED_MS) refresher.add("all");
      everOpen = true;
      onStatus("live");
    });
    source.addEventListener("error", () => onStatus("offline"));
    source.addEventListener("resync", () => refresher.add("all"));
    source.addEventListener("change", ({ data }) => {
      const change = JSON.parse(data) as ChangeEvent;
      refresher.add(change.many ? "runs" : change.runIds);
    });
  };
  const close = () => {
    source?.close();
    source = undefined;
  };
  const follow = () => {
    if (document.visibilityState === "hidden") close();
    else if (!source) open();
  };

  follow();
  document.addEventListener("visibilitychange", follow);
  return () => {
    document.removeEventListener("visibilitychange", follow);
    close();
  };
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
