import { HandrailError } from "../../engine/errors";
import { textOfPart } from "../../engine/values/address-part";

/**
 * The values of a path's parameters: `/v1/runs/{runId}` and `/api/v1/runs/0189…` give `{ runId }`. `{name*}` takes the
 * rest. Parsed from the raw address, so that each part is decoded exactly once: a step may have any name.
 */
export function pathParameters(template: string, pathname: string): Record<string, string> {
  const given = pathname.split("/").slice(2);
  const parameters: Record<string, string> = {};
  for (const [index, part] of template.split("/").slice(1).entries()) {
    const [, name, rest] = /^\{(\w+)(\*)?\}$/.exec(part) ?? [];
    if (name === undefined) continue;
    parameters[name] = rest ? decode(given.slice(index).join("/")) : textOfPart(decode(given[index] ?? ""));
  }
  return parameters;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HandrailError("invalid_request", `"${text}" in the path is not percent-encoded UTF-8.`);
  }
}

/**
 * The query as an object; `tag.NAME=value` gathers under `tags`, repeated parameters become a list, and empty values
 * count as absent.
 */
export function queryFields(search: URLSearchParams): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  const tags = new Map<string, unknown>();
  for (const [name, value] of search) {
    if (name.startsWith("tag.")) put(tags, name.slice("tag.".length), value);
    else if (value !== "") put(fields, name, value);
  }
  if (tags.size > 0) fields.set("tags", Object.fromEntries(tags));
  // `fromEntries` defines properties; an assignment to "__proto__" would be lost.
  return Object.fromEntries(fields);
}

function put(into: Map<string, unknown>, name: string, value: string): void {
  const before = into.get(name);
  into.set(name, before === undefined ? value : [before, value].flat());
}
