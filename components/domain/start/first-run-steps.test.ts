import { expect, it } from "vitest";
import type { WorkflowView } from "@/lib/api/contract/responses";
import { firstRunSteps } from "./first-run-steps";

const origin = "http://127.0.0.1:3000";
const aWorkflow = (name: string, workers: number, inputSchema: WorkflowView["inputSchema"] = null): WorkflowView => ({
  name,
  version: 1,
  title: name,
  inputSchema,
  language: null,
  on: null,
  seenAt: "2026-11-23T12:00:00.000Z",
  workers,
  onFields: [],
  versionWorkers: workers,
  fourEyes: [],
  limits: null,
  liveLimits: null,
  intake: null,
  running: 0,
  backlog: 0,
});

it("says what is true of an installation without a run", () => {
  expect(firstRunSteps({ live: 0, workflows: [], origin })).toMatchObject({ connected: false, ready: false });
  expect(firstRunSteps({ live: 1, workflows: [], origin })).toMatchObject({
    connected: true,
    known: [],
    command: null,
  });
  // Of a worker that is gone.
  expect(firstRunSteps({ live: 0, workflows: [aWorkflow("a", 0)], origin })).toMatchObject({
    connected: false,
    ready: false,
    known: [{ name: "a" }],
  });
});

it("a user who may not count the workers learns of one from its workflow", () => {
  expect(firstRunSteps({ live: null, workflows: [aWorkflow("a", 1)], origin }).connected).toBe(true);
  expect(firstRunSteps({ live: null, workflows: [aWorkflow("a", 0)], origin }).connected).toBe(false);
});

it("the command starts a workflow that some worker has, at this console, with text that a shell leaves alone", () => {
  const schema = { type: "object", properties: { name: { type: "string", default: "it's me" } } };
  const workflows = [aWorkflow("a", 0), aWorkflow("hello", 1, schema)];
  expect(firstRunSteps({ live: 1, workflows, origin }).command).toBe(
    `npx handrail runs start hello --input '{"name":"it'\\''s me"}'`,
  );
  expect(firstRunSteps({ live: 1, workflows, origin: "https://hr.example.com" }).command).toMatch(
    / --url https:\/\/hr\.example\.com$/,
  );
});
