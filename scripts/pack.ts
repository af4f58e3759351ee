import { stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { packConsole } from "./pack/console/pack-console";
import { pack } from "./pack/pack";
import { bytesOf, loadedBytes } from "./pack/sizes";
import type { Packed } from "./pack/tarball";

/** `npm run pack`: builds the packages into dist/, as npm publishes them, and prints how large they are. */
const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
if (only !== undefined && only !== "handrail" && only !== "console")
  throw new Error(`There are two packages: npm run pack -- --only handrail, or --only console.`);

const kB = (bytes: number) => `${Math.round(bytes / 1_000).toLocaleString("en")} kB`;
async function print({ tarball, folder }: Packed): Promise<void> {
  console.log(
    `${path.relative("", tarball)}: ${kB((await stat(tarball)).size)}, unpacked ${kB(await bytesOf(folder))}`,
  );
}

if (only !== "console") {
  const packed = await pack();
  await print(packed);
  for (const name of ["handrail", "client", "http-worker"])
    console.log(`dist/${name}.js loads ${kB(await loadedBytes(path.join(packed.folder, `dist/${name}.js`)))}`);
}
if (only !== "handrail") await print(await packConsole());
