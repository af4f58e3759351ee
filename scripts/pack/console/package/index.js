import { fileURLToPath } from "node:url";

export const server = fileURLToPath(new URL("server.js", import.meta.url));
