import { fileURLToPath } from "node:url";

export const server = fileURLToPath(new URL("server.js", import.meta.url));

export const demo = fileURLToPath(new URL("demo", import.meta.url));
