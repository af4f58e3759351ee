import { setUnlessSet } from "../../lib/env-of-cli";

/** `node --import handrail/register --test …`: loads an app's TypeScript as `handrail worker` does. */
setUnlessSet({ JITI_INTEROP_DEFAULT: "0", JITI_TSCONFIG_PATHS: "1" });
// @ts-expect-error It has a file of types, without exports.
await import("jiti/register");
