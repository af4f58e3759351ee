import { z } from "zod";
import { known } from "../access/permission";
import { cellListResponse } from "../contract/cells";
import { plainText } from "../contract/requests";
import { json } from "../contract/run";
import { endpoint } from "../endpoint";
import { askCell, MAX_SENT_ON_BYTES } from "./ask-cell";

export const listCells = endpoint(
  {
    method: "GET",
    path: "/v1/cells",
    action: "self",
    summary: "The cells of this fleet, and the addresses of their consoles",
    answer: cellListResponse,
    statuses: { 200: "The cells" },
  },
  async ({ server: { env } }) => ({
    status: 200,
    body: {
      own: env.fleet?.own ?? null,
      cells: [...(env.fleet?.cells ?? [])].map(([name, url]) => ({ name, url })),
    },
  }),
);

const inCell = z.strictObject({ cell: plainText.max(40), path: plainText.max(2_000) });
const anyQuery = z.record(z.string(), z.unknown());
/** The cell's console checks body and permission. */
const sentOn = {
  path: "/v1/cells/{cell}/{path*}",
  action: "self",
  params: inCell,
  query: anyQuery,
  elsewhere: true,
  answer: json,
  statuses: { 200: "What the cell's console answers" },
} as const;
const withBody = { ...sentOn, rawBody: { types: ["application/json"], maxBytes: MAX_SENT_ON_BYTES } } as const;

export const readFromCell = endpoint(
  { ...sentOn, method: "GET", summary: "Read any path of another cell's API, as the caller" },
  ({ params, server, asker, request }) => askCell(server.env.fleet, params.cell, known(asker), request),
);

export const postToCell = endpoint(
  { ...withBody, method: "POST", summary: "Post to any path of another cell's API, as the caller" },
  ({ params, server, asker, request }) => askCell(server.env.fleet, params.cell, known(asker), request),
);

export const putToCell = endpoint(
  { ...withBody, method: "PUT", summary: "Put to any path of another cell's API, as the caller" },
  ({ params, server, asker, request }) => askCell(server.env.fleet, params.cell, known(asker), request),
);
