import { addressPart } from "../../engine/values/address-part";

/** Several of these repeat the parameter, since their texts may contain commas; other lists are joined by commas. */
const GIVEN_AGAIN: ReadonlySet<string> = new Set(["step", "error", "notStep", "notError"]);

/**
 * The address below `/api` of a path of the contract: path parameters fill its braces, all others become the query. In
 * the query, tags are `tag.NAME=value`; undefined, null and empty values are left out.
 */
export function addressOf(path: string, given: object = {}): string {
  const rest = new Map(Object.entries(given));
  const address = path.replace(/\{(\w+)(\*)?\}/g, (_, name: string, many?: string) => {
    const text = String(rest.get(name));
    rest.delete(name);
    return many ? text.split("/").map(addressPart).join("/") : addressPart(text);
  });
  return `${address}${queryOf(Object.fromEntries(rest))}`;
}

/** As the query of an address, with its question mark; nothing when nothing is left. */
export function queryOf(given: object): string {
  const { tags, ...fields } = given as { tags?: Record<string, string | string[]> };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries<unknown>(fields)) {
    const texts = Array.isArray(value) && !GIVEN_AGAIN.has(name) ? [value.join(",")] : [value ?? ""].flat();
    for (const text of texts.map(String)) if (text !== "") query.append(name, text);
  }
  for (const [name, values] of Object.entries(tags ?? {}))
    for (const value of [values].flat()) query.append(`tag.${name}`, value);
  return query.size > 0 ? `?${query}` : "";
}
