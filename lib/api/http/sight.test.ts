import { expect, it } from "vitest";
import type { Asker } from "../../access/asker";
import { WAL_HEADER } from "../../engine/wal-position";
import type { Server } from "../../server";
import { ENDPOINTS } from "../all-endpoints";
import { withSight } from "./sight";

const FROM_STANDBY = ENDPOINTS.filter(({ standby }) => standby);

it("nothing but reads is answered from a standby", () => {
  expect(FROM_STANDBY.length).toBeGreaterThan(20);
  expect(FROM_STANDBY.filter(({ method }) => method !== "GET")).toEqual([]);
});

it.each([
  "/v1/runs",
  "/v1/runs/{runId}",
  "/v1/runs/histogram",
  "/v1/search",
  "/v1/effects/export",
  "/v1/flow",
  "/v1/audit",
])("%s may be answered from a standby", (path) =>
  expect(FROM_STANDBY.map((endpoint) => endpoint.path)).toContain(path),
);

it("what actions are decided by, who asks, waits, and what compares leases with the clock are of the primary", () => {
  const ofPrimary = ENDPOINTS.filter(({ method, standby }) => method === "GET" && !standby).map(({ path }) => path);
  expect(ofPrimary.sort()).toMatchInlineSnapshot(`
    [
      "/health/live",
      "/health/ready",
      "/v1/alert-preview",
      "/v1/audit/chain",
      "/v1/cells",
      "/v1/cells/{cell}/{path*}",
      "/v1/database",
      "/v1/destinations",
      "/v1/destinations/{id}/deliveries",
      "/v1/metrics",
      "/v1/openapi.json",
      "/v1/operations/{operationId}/shares",
      "/v1/overview",
      "/v1/people",
      "/v1/plan-approvals",
      "/v1/plans/{planId}",
      "/v1/plans/{planId}/items",
      "/v1/problems/{problemId}/probe-candidate",
      "/v1/problems/{problemId}/shares",
      "/v1/problems/{problemId}/tried",
      "/v1/retention",
      "/v1/runs/{runId}/published/{name}",
      "/v1/runs/{runId}/result",
      "/v1/sandbox/{path*}",
      "/v1/schedules",
      "/v1/schedules/{name}",
      "/v1/session",
      "/v1/session/provider/callback",
      "/v1/sessions",
      "/v1/stream",
      "/v1/tokens",
      "/v1/workers",
      "/v1/workflows",
      "/v1/workflows/{workflow}/assignees",
    ]
  `);
});

it("an answer of another console is passed on with what that one has seen, not with this one's position", async () => {
  const position = async () => "0/1";
  const standby = { position, advance: position, floorOf: async () => undefined };
  const server = { standby } as unknown as Server;
  const asker = { personId: null, credentialId: null } as unknown as Asker;
  const theirs = () => new Response("{}", { headers: { [WAL_HEADER]: "F/F" } });
  const passedOn = ENDPOINTS.filter(({ path }) => path.startsWith("/v1/cells/{cell}"));
  expect(passedOn.map(({ method }) => method).sort()).toEqual(["GET", "POST", "PUT"]);
  for (const endpoint of passedOn) {
    const request = new Request("http://localhost/api/v1/cells/us/v1/runs");
    const answer = await withSight(server, endpoint, asker, request, async () => theirs());
    expect((answer as Response).headers.get(WAL_HEADER)).toBe("F/F");
  }
});
