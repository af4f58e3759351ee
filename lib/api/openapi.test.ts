import { describe, expect, it } from "vitest";
import { loadRoutes } from "../testing/api";
import * as endpoints from "./endpoints";
import { openApiDocument } from "./openapi";
import { endpointOf } from "./route";

const routes = await loadRoutes();
const document = JSON.parse(JSON.stringify(openApiDocument()));
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

describe("the OpenAPI document and the routes", () => {
  it.each(routes)("$file exports only handlers of the wrapper, each for its own path", ({ path, exports }) => {
    expect(Object.keys(exports).sort()).toEqual([...METHODS].sort());
    for (const [method, handler] of Object.entries(exports)) {
      const endpoint = endpointOf(handler);
      expect(endpoint, `${method} was not made by the wrapper`).not.toBeUndefined();
      if (endpoint) expect({ method: endpoint.method, path: endpoint.path }).toEqual({ method, path });
    }
  });

  it("agree: every endpoint has a route, every route's endpoint is in the document, and nothing else is", () => {
    const served = routes.flatMap(({ path, exports }) =>
      Object.entries(exports)
        .filter(([, handler]) => endpointOf(handler))
        .map(([method]) => `${method} ${path}`),
    );
    const declared = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`);
    const documented = Object.entries(document.paths as Record<string, object>).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(declared.sort()).toEqual(served.sort());
    expect(documented.sort()).toEqual(served.map((one) => one.replaceAll("*}", "}")).sort());
  });

  it("refers only to schemas that it holds, and names each operation once", () => {
    const text = JSON.stringify(document);
    const names = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] as string);
    expect(names.length).toBeGreaterThan(20);
    for (const name of new Set(names))
      expect(document.components.schemas).toHaveProperty([name.replace("#/components/schemas/", "")]);
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("lets answers grow and holds requests to what is known", () => {
    const { schemas } = document.components;
    expect(schemas.Run.additionalProperties).toBeUndefined();
    expect(schemas.Run.required).toContain("steps");
    expect(schemas.StartRunRequest.additionalProperties).toBe(false);
    expect(schemas.StartRunRequest.required).toEqual(["workflow", "input"]);
  });

  it("says of every operation which action it takes, or that it asks nobody who they are", () => {
    const operations = Object.values(document.paths as Record<string, Record<string, object>>).flatMap(Object.values);
    for (const operation of operations)
      expect("x-handrail-action" in operation !== "security" in operation, JSON.stringify(operation)).toBe(true);
    expect(document.paths["/v1/runs"].post["x-handrail-action"]).toBe("run.start");
  });

  it("tells how lists and tags are written in a query", () => {
    const { parameters } = document.paths["/v1/runs"].get;
    const byName = Object.fromEntries(parameters.map((one: { name: string }) => [one.name, one]));
    expect(byName.status).toMatchObject({ in: "query", required: false, style: "form", explode: false });
    expect(byName["tag.NAME"]).toMatchObject({ in: "query", schema: { type: "string" } });
    expect(byName.limit.schema).toMatchObject({ type: "integer", maximum: 200 });
  });
});
