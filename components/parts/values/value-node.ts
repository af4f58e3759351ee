import { formatBytes, plural } from "@/lib/format";

/** JSON as the API carries it; values that JSON lacks are `{ "$type": …, "value": … }`. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export type ScalarTone = "text" | "number" | "word" | "special" | "masked";

/** One value as it is drawn: a single text, or something with parts. */
export type ValueNode =
  | { kind: "scalar"; text: string; tone: ScalarTone }
  | {
      kind: "parts";
      /** Such as `Map`; empty for plain objects and lists. */
      label: string;
      open: string;
      close: string;
      /** `key` is null in a list or set. */
      parts: { key: string | null; value: Json }[];
    };

export function toValueNode(json: Json): ValueNode {
  if (json === null) return scalar("null", "word");
  switch (typeof json) {
    case "string":
      return scalar(JSON.stringify(json), "text");
    case "number":
      return scalar(String(json), "number");
    case "boolean":
      return scalar(String(json), "word");
    default:
      break;
  }
  if (Array.isArray(json)) return list("", json);
  if (Object.hasOwn(json, "$type")) return toTaggedNode(json);
  return fields("", Object.entries(json));
}

const scalar = (text: string, tone: ScalarTone): ValueNode => ({ kind: "scalar", text, tone });

const list = (label: string, items: Json[]): ValueNode => ({
  kind: "parts",
  label,
  open: "[",
  close: "]",
  parts: items.map((value) => ({ key: null, value })),
});

const fields = (label: string, entries: [string, Json][]): ValueNode => ({
  kind: "parts",
  label,
  open: "{",
  close: "}",
  parts: entries.map(([key, value]) => ({ key, value })),
});

function toTaggedNode(json: { [key: string]: Json }): ValueNode {
  const { $type: type, value = null } = json;
  switch (type) {
    case "masked":
      return scalar("••• masked", "masked");
    case "erased":
      return scalar("erased", "masked");
    case "locked":
      return scalar(`sealed with the key “${json.key}”, which is not available here`, "masked");
    case "blob":
      return scalar(`${formatBytes(Number(json.size))}, in the blob store`, "masked");
    case "undefined":
      return scalar("undefined", "word");
    case "number":
      return scalar(String(value), "number");
    case "bigint":
      return scalar(`${value}n`, "number");
    case "string":
      return scalar(`"${value}"`, "text");
    case "Date":
      return scalar(String(value), "special");
    case "URL":
      return scalar(String(value), "special");
    case "Uint8Array":
      return scalar(`binary, ${plural(byteCount(String(value)), "byte")}`, "special");
    case "Set":
      return list("Set", asList(value));
    case "Map":
      return fields(
        "Map",
        asPairs(value).map(([key, item]) => [mapKey(key), item]),
      );
    case "object":
      return fields(
        "",
        asPairs(value).map(([key, item]) => [plainKey(key), item]),
      );
    case "Error":
      return fields("Error", Object.entries(asRecord(value)));
    default:
      return fields("", Object.entries(json));
  }
}

const asList = (value: Json): Json[] => (Array.isArray(value) ? value : []);
const asPairs = (value: Json): [Json, Json][] =>
  asList(value).flatMap((pair) => (Array.isArray(pair) && pair.length === 2 ? [pair as [Json, Json]] : []));
const asRecord = (value: Json): { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

/** A map's key may be any value; one that has parts is written as JSON. */
function mapKey(key: Json): string {
  const node = toValueNode(key);
  return node.kind === "scalar" ? node.text : JSON.stringify(key);
}

const plainKey = (key: Json) => (typeof key === "string" ? key : mapKey(key));

/** Of a base64 text. */
function byteCount(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}
