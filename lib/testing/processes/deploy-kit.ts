import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const KIT = new URL("../../../deploy/", import.meta.url);
const read = (file: string) => readFileSync(fileURLToPath(new URL(file, KIT)), "utf8");

const OF_A_LIST = String.raw`\[(".*")\]`;
const OF_A_UNIT = "/usr/bin/node (.*)";

/** The words after `node` of the only line of a file that begins with this. */
function words(file: string, beginning: string, form = OF_A_LIST): string[] {
  const [line, ...more] = [...read(file).matchAll(new RegExp(`^ *${beginning} *${form}$`, "gm"))];
  if (!line || more.length > 0) throw new Error(`${file} has ${more.length + (line ? 1 : 0)} lines "${beginning}".`);
  const text = line[1] as string;
  return form === OF_A_UNIT ? text.split(" ") : JSON.parse(`[${text}]`);
}

/** Whose command comes from the image: its arguments to `node`. */
const ofImage = words("Dockerfile", "CMD");

/** What each part of the kit runs for the same process. */
export const DEPLOYED = {
  migrate: [
    words("compose.yaml", "command:", String.raw`\[(.*migrate.*)\]`),
    words("helm/handrail/templates/migrate.yaml", "args:"),
    words("systemd/handrail-migrate.service", "ExecStart=", OF_A_UNIT),
  ],
  console: [ofImage, words("systemd/handrail-console.service", "ExecStart=", OF_A_UNIT)],
  worker: [
    words("compose.yaml", "command:", String.raw`\[(.*worker.*)\]`),
    words("helm/handrail/templates/worker.yaml", "args:"),
    words("systemd/handrail-worker@.service", "ExecStart=", OF_A_UNIT),
  ],
} as const;

/** Of the line of a file that sets variables, each of them. */
const variables = (file: string, line: RegExp): Record<string, string> =>
  Object.fromEntries((line.exec(read(file))?.[1] ?? "").split(" ").map((pair) => pair.split("=") as [string, string]));

/** The variables of the image. */
export const IMAGE_ENV = variables("Dockerfile", /^ENV (NODE_ENV=.*)$/m);

/** The variables that the console's unit of systemd has by itself. */
export const UNIT_ENV = variables("systemd/handrail-console.service", /^Environment=(NODE_ENV=.*)$/m);
