import { z } from "zod";
import { port } from "./env-kinds";

/** The demo, and its simulated providers. */
export const demo = z.object({
  HANDRAIL_DEMO: z.enum(["on", "off"]).default("off").describe("on or off; `npm run demo` sets it"),
  HANDRAIL_SANDBOX_PORT: port("HANDRAIL_SANDBOX_PORT", 3001),
  HANDRAIL_SMTP_PORT: port("HANDRAIL_SMTP_PORT", 3025),
  HANDRAIL_SANDBOX_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("an address that begins with http:// or https://, such as HANDRAIL_SANDBOX_URL=http://127.0.0.1:3001"),
});
