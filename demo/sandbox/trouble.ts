import { setTimeout as delay } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { type Faults, faultSchema, type Part, SERVICES, type Service } from "./faults";
import type { Journal, JournalFolder } from "./journal";
import { Refusal, readJson } from "./refusal";

export type Http = { Bindings: HttpBindings };

/** What every service depends on. */
export interface World {
  journals: JournalFolder;
  faults: Faults;
  /** Aborted when the sandbox stops: slow answers end then. */
  stopping: AbortSignal;
}

/** Applies a service's fault to its requests. Goes outside `settled`: a lost answer is an action that is on disk. */
export function troubled(world: World, service: Service, part?: Part): MiddlewareHandler<Http> {
  return async (c, next) => {
    // A slow server has received the request: it counts even if the client disconnects.
    await c.req.arrayBuffer();
    const fault = await world.faults.befalling(service, { part, writes: c.req.method !== "GET" });
    const { socket } = c.env.incoming;
    // A definite refusal, as a load balancer gives it: the client knows that nothing was done. Cut connections are
    // `lose-answer`.
    if (fault.mode === "down") throw new Refusal("unavailable", `${service} is down; nothing was done`);
    if (fault.mode === "flaky") throw new Refusal("unavailable", `${service} is flaky just now; nothing was done`);
    if (fault.mode === "slow") await delay(fault.delayMs, undefined, { signal: world.stopping });
    await next();
    if (fault.mode === "lose-answer") socket.resetAndDestroy();
  };
}

/** Holds each answer, reads included, until everything it rests on is on disk. */
export function settled(journal: Journal<never>): MiddlewareHandler<Http> {
  return async (_, next) => {
    await next();
    await journal.onDisk();
  };
}

/** GET /faults, and GET and PUT /<service>/faults. No fault ever reaches these. */
export function faultRoutes(faults: Faults): Hono<Http> {
  const routes = new Hono<Http>().get("/faults", (c) => c.json(faults.all()));
  for (const service of SERVICES) {
    routes.get(`/${service}/faults`, (c) => c.json(faults.of(service)));
    routes.put(`/${service}/faults`, async (c) => {
      const fault = await readJson(c, faultSchema);
      if (service !== "payments" && "only" in fault) throw new Refusal("invalid_request", `${service} has no parts`);
      await faults.set(service, fault);
      return c.json(fault);
    });
  }
  return routes;
}
