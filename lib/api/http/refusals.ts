import type { Endpoint } from "../endpoint";

/** The meaning of each status of a refusal. */
export const REFUSED: Record<number, string> = {
  400: "Nothing was done: the address, a header or the JSON of the body is not as documented.",
  401: "Nothing was done: sign in, or send a token that has not expired.",
  403: "Nothing was done: the caller has no permission for this, or not for these workflows.",
  404: "What the request names does not exist.",
  409: "Nothing was done: the state is another one by now, or does not allow it.",
  413: "Nothing was done: the body is too large.",
  415: "Nothing was done: the body is not sent as application/json.",
  422: "Nothing was done: the body does not fit.",
  503: "Nothing was done that is known of: the database or this process is too busy; the Retry-After header says when to come again.",
  429: "Nothing was done: too many attempts, or more starts than the workflow takes; the Retry-After header says when to come again.",
};

/** Statuses with which an endpoint may refuse a request; every refusal has the form of ErrorResponse. */
export function refusalsOf({ method, action, params, body, refusals }: Endpoint): number[] {
  const named = Object.keys((params as { shape?: object }).shape ?? {}).length > 0;
  const writes = method !== "GET";
  const all = [
    400,
    ...(action === "public" ? [] : [401, 403]),
    ...(named || writes ? [404] : []),
    ...(writes ? [409] : []),
    ...(body ? [413, 415, 422] : []),
    ...refusals,
  ];
  return [...new Set(all)].sort();
}
