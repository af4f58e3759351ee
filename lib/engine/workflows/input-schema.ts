import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { RemoteDefinition } from "./remote-definition";

type JsonSchema = Record<string, unknown>;

/** What the libraries' interface to JSON Schema takes, as far as it is used here. */
interface ToJsonSchema {
  input(options: { target: "draft-2020-12"; libraryOptions?: JsonSchema }): JsonSchema;
}

/** In the place of a part that a schema library cannot express, such as a Date: forms show it, and the code checks the part. */
const INEXPRESSIBLE = { description: "JSON Schema cannot describe this value: it is checked at the start." };

/** Zod alone would refuse the whole schema for one such part. */
const OF_ZOD = { unrepresentable: () => ({ ...INEXPRESSIBLE }) };

/**
 * The JSON Schema of a workflow's input, for people and forms; null if its library makes none. The code's own schema decides.
 */
export function inputJsonSchema({
  input,
  remote,
}: {
  input: StandardSchemaV1;
  remote?: RemoteDefinition;
}): JsonSchema | null {
  if (remote) return remote.inputSchema ?? null;
  const { jsonSchema, vendor } = input["~standard"] as { jsonSchema?: ToJsonSchema; vendor: string };
  try {
    return jsonSchema?.input({ target: "draft-2020-12", ...(vendor === "zod" && { libraryOptions: OF_ZOD }) }) ?? null;
  } catch {
    return null;
  }
}
