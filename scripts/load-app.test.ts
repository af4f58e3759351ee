import { afterEach, expect, it, vi } from "vitest";
import demo from "../demo/app";
import yours from "../handrail.config";
import { loadApp } from "../load-app";

afterEach(() => vi.unstubAllEnvs());

it("a process has the app of handrail.config.ts, which is empty until it is yours", async () => {
  vi.stubEnv("HANDRAIL_DEMO", "off");
  expect(await loadApp()).toBe(yours);
  expect(yours).toMatchObject({ workflows: [], schedules: [], services: {} });
});

it("in the demo the sample workflows are beside it, with their services", async () => {
  vi.stubEnv("HANDRAIL_DEMO", "on");
  expect(await loadApp()).toEqual({ ...demo, services: demo.services });
  expect((await loadApp()).workflows).toContain(demo.workflows[0]);
});
