import { describe, expect, it } from "vitest";
import { BY_NAME, ENDPOINTS } from "../all-endpoints";
import { openApiDocument } from "./openapi";

const document = JSON.parse(JSON.stringify(openApiDocument(BY_NAME)));

describe("the OpenAPI document and the endpoints", () => {
  it("agree: every endpoint is in the document, and nothing else is", () => {
    const declared = ENDPOINTS.map(({ method, path }) => `${method} ${path.replaceAll("*}", "}")}`);
    const documented = Object.entries(document.paths as Record<string, object>).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.sort()).toEqual(declared.sort());
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

  it("says of every operation which action it requires, or that it needs no credential", () => {
    const operations = Object.values(document.paths as Record<string, Record<string, object>>).flatMap(Object.values);
    for (const operation of operations)
      expect("x-handrail-action" in operation !== "security" in operation, JSON.stringify(operation)).toBe(true);
    expect(document.paths["/v1/runs"].post["x-handrail-action"]).toBe("run.start");
  });

  it("describes how lists and tags are written in a query", () => {
    const { parameters } = document.paths["/v1/runs"].get;
    const byName = Object.fromEntries(parameters.map((one: { name: string }) => [one.name, one]));
    expect(byName.status).toMatchObject({ in: "query", required: false, style: "form", explode: false });
    expect(byName["tag.NAME"]).toMatchObject({ in: "query", schema: { type: "string" } });
    expect(byName.limit.schema).toMatchObject({ type: "integer", maximum: 200 });
  });
});
