import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { expressHandler } from "../../handlers/express";
import { fastifyPlugin } from "../../handlers/fastify";
import { honoHandler } from "../../handlers/hono";
import { nextHandlers } from "../../handlers/next";
import { handrail } from "./app";

export const onExpress = express().use("/handrail", expressHandler(handrail));
export const onFastify = fastify().register(fastifyPlugin(handrail), { prefix: "/handrail" });
export const onHono = new Hono().all("/handrail/*", honoHandler(handrail));

/** app/handrail/[...path]/route.ts; here for the app's own users instead of tokens. */
export const { GET, POST } = nextHandlers(handrail, {
  caller: ({ headers }) => {
    const user = headers.get("x-user");
    return user === null ? null : { name: user, may: ["run.start", "run.read"], workflows: ["order-placed"] };
  },
});
