import { UsageError } from "./stops";

const DEFAULT = "http://127.0.0.1:3000";
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Where requests go. A console is named by scheme, host and port, and answers below `/api`; an app that serves the API
 * itself is named with the path below which it does.
 * @throws UsageError for what is no address
 */
export function baseOf(given: string | undefined): { base: string; isPlain: boolean } {
  const written = given ?? DEFAULT;
  const url = URL.canParse(written) ? new URL(written) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "" || url.hash !== "")
    throw new UsageError(
      `Write the address as ${DEFAULT} or https://shop.example.com/handrail, in --url or HANDRAIL_URL.`,
    );
  const path = url.pathname.replace(/\/+$/, "");
  const isPlain = url.protocol === "http:" && !LOOPBACK.test(url.hostname);
  return { base: `${url.origin}${path === "" ? "/api" : path}`, isPlain };
}

/** As a header takes it. @throws UsageError, which does not repeat it */
export function checkedToken(token: string | undefined): string | undefined {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new UsageError("The token has characters that no token of Handrail has. Check HANDRAIL_TOKEN.");
  return token;
}
