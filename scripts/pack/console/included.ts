import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { packagesIn } from "../code";

/** What is no code brings no package along but for styles, which are read below. */
const withoutAssets: Plugin = {
  name: "handrail:no-assets",
  load: (id) => (/\.(css|svg|woff2|node)$/.test(id) ? { code: "", moduleType: "js" } : undefined),
};

/**
 * The packages whose code or styles Next bundles into the console: the same imports, followed by rolldown, which says where they lead. Next
 * itself is among what is installed.
 * @returns their folders
 */
export async function bundledPackages(root: string, source: string): Promise<string[]> {
  const routes = await readdir(path.join(source, "app"), { recursive: true });
  const entries = routes.filter((file) => /\.tsx?$/.test(file)).map((file) => path.join("app", file));
  const bundle = await rolldown({
    cwd: source,
    input: [...entries, "instrumentation.ts", "proxy.ts"].map((file) => path.join(source, file)),
    tsconfig: path.join(source, "tsconfig.json"),
    platform: "node",
    external: /^next(\/|$)|^pg-native$/,
    plugins: [withoutAssets],
    logLevel: "silent",
  });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  const styles = await readFile(path.join(source, "app/globals.css"), "utf8");
  const names = [...styles.matchAll(/^@import "([\w-]+)";$/gm)].map(([, name = ""]) => name);
  return [...packagesIn(output), ...names.map((name) => path.join(root, "node_modules", name))];
}

/** The packages that the console loads from its own node_modules, and those that Next has compiled into itself. */
export async function installedPackages(root: string, nodeModules: string): Promise<string[]> {
  const files = await readdir(nodeModules, { recursive: true });
  const manifests = files.filter((file) =>
    /^((@[^/]+\/)?[^/]+|next\/dist\/compiled\/(@[^/]+\/)?[^/]+)\/package\.json$/.test(file),
  );
  return manifests.map((file) => path.join(root, "node_modules", path.dirname(file))).sort();
}
