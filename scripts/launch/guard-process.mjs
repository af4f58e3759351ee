import { setTimeout as sleep } from "node:timers/promises";

/**
 * Outlives the launcher for as long as it takes to leave nothing behind. The channel to the launcher breaks when the launcher
 * ends in any way, kill -9 included. Its children then stop by themselves (end-with-parent.mjs); what does not is killed, and
 * the embedded database is stopped last, unless another process uses it.
 */
const STOP_TIMEOUT_MS = 15_000;
const LOOK_AGAIN_MS = 50;

/** Process groups of the launcher's children, and the folder of the embedded database if there is one. */
let watched = JSON.parse(process.argv[2]);

process.on("message", (message) => {
  if (message === "done") process.exit(0);
  watched = message;
});
// A signal to all processes at once must not end the one that cleans up after the others.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);

process.once("disconnect", cleanUp);
if (!process.connected) void cleanUp(); // the launcher ended before this line

async function cleanUp() {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (watched.groups.some(exists) && Date.now() < deadline) await sleep(LOOK_AGAIN_MS);
  for (const group of watched.groups.filter(exists)) process.kill(-group, "SIGKILL");
  if (watched.postgres) await stopPostgres(watched.postgres);
  process.exit(0);
}

function exists(group) {
  try {
    return process.kill(process.platform === "win32" ? group : -group, 0);
  } catch {
    return false;
  }
}

/** Loaded only now: until then this process costs next to nothing. */
async function stopPostgres(dir) {
  const { stopUnlessUsed } = await import("./stop-unless-used.mjs");
  await stopUnlessUsed(dir);
}
