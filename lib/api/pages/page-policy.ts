import type { Env } from "../../env";

/** The one style sheet that a library writes into the page and knows no nonce for: that of sonner's toasts, at first empty. */
const TOASTS_STYLES =
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='";

/** Under which header the page is told its nonce, by ourselves alone: whatever a request brings by this name is replaced. */
export const NONCE_HEADER = "x-nonce";

/**
 * What a page of ours may load and run: scripts that bear this answer's nonce and what they load, nothing inline, no eval, and
 * nothing from another site. In development React and Next need both, and nobody else is there.
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

/** For a year, browsers come over https alone. Only where that is how they find us. */
export const transportSecurity = ({ origin }: Pick<Env, "origin">): string | null =>
  origin?.startsWith("https:") ? "max-age=31536000" : null;
