import { createRequire } from "node:module";
import path from "node:path";
import repository from "./repository.config.js";

/** The folder whose node_modules has the packages. */
const root = path.join(createRequire(import.meta.url).resolve("next/package.json"), "../../..");

/**
 * As the repository's, and complete in itself.
 *
 * @type {import("next").NextConfig}
 */
export default {
  ...repository,
  output: "standalone",
  outputFileTracingRoot: root,
  turbopack: { root },
  typescript: { ignoreBuildErrors: true }, // they are checked where they are written
  experimental: { turbopackFileSystemCacheForBuild: false }, // nobody builds in this folder again
};
