import { expect, it } from "vitest";
import { z } from "zod";
import { defineConfig } from "../../app";
import { createHandrail } from "../../library/handrail";
import { defineWorkflow } from "./workflow";

const input = z.object({});
const flow = defineWorkflow({ name: "given", input }, async () => 1);
const nothing = undefined as never;

it.each([
  [
    () => defineWorkflow({ name: "x" } as never, async () => 1),
    /^The input of workflow "x" is to be a Standard Schema, .+; got undefined\.$/,
  ],
  [() => defineWorkflow({ name: "x", input: {} } as never, async () => 1), /got object\.$/],
  [() => defineWorkflow({ name: "x", input }, nothing), 'The code of workflow "x" is to be a function; got undefined.'],
  [
    () => defineConfig({ workflows: [flow, nothing] }),
    /^`workflows\[1\]` is to be a workflow .+ do the two files import each other\?/,
  ],
  [
    () => defineConfig({ workflows: [{ name: "given", version: 1, input } as never] }),
    /`workflows\[0\]` .+; got object\.$/,
  ],
  [() => defineConfig({ workflows: ["given" as never] }), /`workflows\[0\]` .+; got "given"\.$/],
])("%s is refused with what to write instead", (given, message) => {
  expect(given).toThrow(expect.objectContaining({ code: "invalid_workflow", message: expect.stringMatching(message) }));
});

it.each([
  [
    (app: App) => app.start("given" as never, {}),
    "invalid_workflow",
    /^What `start` is given is to be a workflow .+; got "given"\.$/,
  ],
  [(app: App) => app.run("A-17").result(), "invalid_request", '"A-17" is not the id of a run.'],
  [(app: App) => app.run("A-17").status(), "invalid_request", '"A-17" is not the id of a run.'],
  [(app: App) => app.run(nothing).cancel(), "invalid_request", "undefined is not the id of a run."],
  [(app: App) => app.send(nothing, {}), "invalid_request", /^This cannot name an event/],
])("%s is refused before the database is asked", async (ask, code, message) => {
  const app = createHandrail({ workflows: [flow], databaseUrl: "postgresql://127.0.0.1:1/none" });
  await expect(ask(app)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  await app.close();
});

it.each([
  [nothing, /^`workflows` is to be an array of workflows; got undefined\.$/],
  [[nothing], /^`workflows\[0\]` is to be/],
])("createHandrail with %j as its workflows is refused with its first use", async (workflows, message) => {
  const app = createHandrail({ workflows, databaseUrl: "postgresql://127.0.0.1:1/none" });
  const refusal = { code: "invalid_workflow", message: expect.stringMatching(message) };
  await expect(app.start(flow, {})).rejects.toMatchObject(refusal);
  await expect(app.worker().start()).rejects.toMatchObject(refusal);
});

type App = ReturnType<typeof createHandrail>;
