import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { inflateRawSync } from "node:zlib";

const execute = promisify(execFile);
/** Of 3.8.1, for Linux on x64. Its peers, which a program of AWS's needs, are left out. */
const PACKAGE = "@aws-cdk/asset-kubectl-v20@2.1.4";
const PARSER = "yaml@2.9.1";

export const canHaveHelm = process.platform === "linux" && process.arch === "x64";

export interface Helm {
  /** What the command says. */
  helm(...words: string[]): Promise<string>;
  /** The documents of a YAML file, merge keys included. */
  documents(text: string): unknown[];
}

/** Helm and a parser of YAML, in an empty folder. It needs a registry. */
export async function helmIn(folder: string): Promise<Helm> {
  const options = ["--prefix", folder, "--legacy-peer-deps", "--ignore-scripts", "--prefer-offline", "--no-audit"];
  await execute("npm", ["install", ...options, PACKAGE, PARSER]);
  const zip = readFileSync(path.join(folder, "node_modules/@aws-cdk/asset-kubectl-v20/lib/layer.zip"));
  const program = path.join(folder, "helm");
  writeFileSync(program, unzipped(zip, "helm/helm"), { mode: 0o755 });
  const { parseAllDocuments } = await import(path.join(folder, "node_modules/yaml/dist/index.js"));
  const env = { ...process.env, HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder };
  return {
    helm: async (...words) => (await execute(program, words, { env })).stdout,
    documents: (text) =>
      parseAllDocuments(text, { merge: true }).map((one: { errors: unknown[]; toJS(): unknown }) => {
        if (one.errors.length > 0) throw one.errors[0];
        return one.toJS();
      }),
  };
}

const ENTRY = 0x02014b50;
const DEFLATED = 8;

/** A file of a zip archive: PKWARE's APPNOTE, 4.3.12 and 4.3.7. */
function unzipped(zip: Buffer, wanted: string): Buffer {
  const marker = Buffer.alloc(4);
  marker.writeUInt32LE(ENTRY);
  for (let at = zip.indexOf(marker); at >= 0; at = zip.indexOf(marker, at + 4)) {
    const name = zip.toString("utf8", at + 46, at + 46 + zip.readUInt16LE(at + 28));
    if (name !== wanted) continue;
    const header = zip.readUInt32LE(at + 42);
    const from = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const data = zip.subarray(from, from + zip.readUInt32LE(at + 20));
    return zip.readUInt16LE(at + 10) === DEFLATED ? inflateRawSync(data) : data;
  }
  throw new Error(`The archive has no ${wanted}.`);
}
