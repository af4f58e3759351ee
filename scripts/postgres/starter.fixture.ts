import { startEmbeddedPostgres } from "./embedded";

/** A separate process that uses the server in a folder, for tests that race such processes and kill them. */
const [dir = ""] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ dir, settings: { fsync: "off" } });
process.send?.(server.port);
process.once("message", async () => {
  await server.stop();
  process.exit(0);
});
