/**
 * A console process for crash tests: the API's own routes over a socket, on a free port. It dies or stops, by a real
 * signal to itself, at the fault point that HANDRAIL_TEST_FAULT names: a drive passes fault points here.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { CALLER_HEADER } from "../../access/fleet-caller";
import { CLAIM_HEADER } from "../../api/contract/remote";
import { WAL_HEADER } from "../../engine/wal-position";
import { anApi } from "../api/api";
import sampleApp from "../sample-app";
import type { ConsoleOrders } from "./crash";
import { dieAtCommit } from "./die-at-commit";
import { processorTimeOf, watchTurns } from "./longest-turn";
import { strikeAt } from "./strike-at";
import { yardstick } from "./yardstick";

const orders = JSON.parse(process.env.HANDRAIL_TEST_ORDERS ?? "{}") as ConsoleOrders;
if (orders.fault) strikeAt(orders.fault);
if (orders.diesAtCommit) dieAtCommit(orders.diesAtCommit);
const { workflows } = await import(orders.workflows);

// The parent is gone, and so is its database.
process.on("disconnect", () => process.exit(1));

/** The settings that a test may choose; all others are as in this process. */
const FORWARDED = ["idempotency-key", "cookie", "authorization", "origin", CLAIM_HEADER, WAL_HEADER, CALLER_HEADER];

const api = await anApi({ ...sampleApp, workflows });
const longestTurn = watchTurns();
const http = createServer(
  getRequestListener(async (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/api/longest-turn") return Response.json({ ms: longestTurn() });
    if (pathname === "/api/yardstick") return Response.json({ ms: processorTimeOf(yardstick) });
    const headers = FORWARDED.flatMap((name) => {
      const value = request.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    return api.send(request.method, `${pathname.slice("/api".length)}${search}`, {
      body: request.method === "GET" ? undefined : (request.body ?? ""),
      headers: Object.fromEntries(headers),
    });
  }),
);
http.listen(orders.port ?? 0, "127.0.0.1", () => process.send?.({ port: (http.address() as AddressInfo).port }));
