import { getRequestListener } from "@hono/node-server";
import type { FastifyPluginAsync } from "fastify";
import { appApi, depthOf, type HttpOptions, type Served } from "./app-api";

/** `fastify.register(fastifyPlugin(handrail), { prefix: "/handrail" })`. Parsers of the app's own routes stay as they are. */
export function fastifyPlugin(handrail: Served, options?: HttpOptions): FastifyPluginAsync {
  const api = appApi(handrail, options);
  return async (fastify) => {
    const depth = depthOf(fastify.prefix);
    const listener = getRequestListener((request) => api(request, depth), { overrideGlobalObjects: false });
    fastify.removeAllContentTypeParsers();
    // The API reads and bounds the body itself.
    fastify.addContentTypeParser("*", (_request, _payload, done) => done(null));
    fastify.all("/*", async (request, reply) => {
      reply.hijack();
      await listener(request.raw, reply.raw);
    });
  };
}
