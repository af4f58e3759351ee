import type { Env } from "../../env";

/** The one style sheet that a library writes into the page without our nonce: sonner's toasts, at first empty. */
const TOASTS_STYLES =
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='";

/** The header that passes the nonce to the page. Only we set it: a request's own value is replaced. */
export const NONCE_HEADER = "x-nonce";

/**
 * What our pages may load and run: scripts with this answer's nonce and their imports, nothing inline, no eval, and
 * nothing from another site. In development React and Next need both.
 */
export function pagePolicy(nonce: string, { development }: Pick<Env, "development">): string {
  const styles = development ? "'unsafe-inline'" : `'nonce-${nonce}' ${TOASTS_STYLES}`;
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Browsers use https only, for a year. Set only when they reach us by https. */
export const transportSecurity = ({ origin }: Pick<Env, "origin">): string | null =>
  origin?.startsWith("https:") ? "max-age=31536000" : null;
