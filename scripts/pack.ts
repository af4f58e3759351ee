import { stat } from "node:fs/promises";
import path from "node:path";
import { pack } from "./pack/pack";
import { bytesOf, loadedBytes } from "./pack/sizes";

/** `npm run pack`: builds the package `handrail` into dist/, as npm publishes it, and prints how large it is. */
const { tarball, folder } = await pack();
const kB = (bytes: number) => `${Math.round(bytes / 1_000).toLocaleString("en")} kB`;
console.log(`${path.relative("", tarball)}: ${kB((await stat(tarball)).size)}, unpacked ${kB(await bytesOf(folder))}`);
console.log(`import "handrail" loads ${kB(await loadedBytes(path.join(folder, "dist/handrail.js")))}`);
