import { post, read } from "./browser";
import { type Client, clientOf } from "./client";

type CellClient = Pick<Client, "read" | "post">;

const clients = new Map<string, CellClient>();

/** The API of a cell: through this console, as the person who uses it. @param own the cell of this console */
export function clientOfCell(cell: string, own: string | null): CellClient {
  if (cell === own) return { read, post };
  const client = clients.get(cell) ?? clientOf({ base: `/api/v1/cells/${cell}` });
  clients.set(cell, client);
  return client;
}
