import type { Json } from "./value-node";

type ParsedJson = { ok: true; value: Json | undefined } | { ok: false; error: string };

/** JSON as typed by a user; empty text is `undefined`. */
export function parseJson(text: string): ParsedJson {
  if (text.trim() === "") return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) as Json };
  } catch (error) {
    return { ok: false, error: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
