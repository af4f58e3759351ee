import { z } from "zod";
import { type Asker, ownerOf } from "../../access/asker";
import { seesMasked } from "../../engine/access/permission";
import { readRunSpans } from "../../operator/spans/read-spans";
import { receiveSpans as receive } from "../../operator/spans/receive-spans";
import { runSpansQuery, runSpansResponse } from "../contract/spans";
import { endpoint } from "../endpoint";
import { decodeOtlp, MAX_OTLP_BYTES, OTLP_TYPES, otlpAnswer, otlpRefusal, readOtlpBody } from "../http/otlp";
import { ofRun } from "./params";

export const receiveSpans = endpoint(
  {
    method: "POST",
    path: "/v1/otlp/v1/traces",
    action: "span.write",
    summary: "Receive spans over OTLP/HTTP, in protobuf or JSON; those of runs are kept with them",
    rawBody: { types: OTLP_TYPES, maxBytes: MAX_OTLP_BYTES },
    answer: z.object({ partialSuccess: z.object({ rejectedSpans: z.string(), errorMessage: z.string() }).optional() }),
    statuses: { 200: "An ExportTraceServiceResponse: the spans are kept, but for those that it counts as rejected" },
    refusals: [413, 415, 429, 503],
    refuse: otlpRefusal,
  },
  async ({ request, server, asker }) => {
    const body = await readOtlpBody(request);
    return otlpAnswer(request, await receive(server.db, ownerOf(asker as Asker), () => decodeOtlp(body)));
  },
);

export const listRunSpans = endpoint(
  {
    method: "GET",
    path: "/v1/runs/{runId}/spans",
    action: "run.read",
    summary: "The spans that were received of a run, in the order in which they began",
    params: ofRun,
    query: runSpansQuery,
    answer: runSpansResponse,
    statuses: { 200: "A page of spans" },
  },
  async ({ params, query, server, permissions }) => ({
    status: 200,
    body: await readRunSpans(server.db, params.runId, {
      ...query,
      mayReadPayloads: seesMasked(permissions),
      traceUrl: server.env.traceUrl,
    }),
  }),
);
