/** The test that the shop had before Handrail: it serves the orders that it has, and takes new ones. Needs DATABASE_URL. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

async function listening(server) {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server.address().port;
}

test("the shop serves its orders, and takes new ones", async (t) => {
  const provider = createServer((_request, response) => response.end('{"id":"ch_own_test"}'));
  t.after(() => provider.close().closeAllConnections());
  const other = createServer();
  const PORT = String(await listening(other));
  await once(other.close(), "close");
  const env = { ...process.env, PORT, PROVIDER_URL: `http://127.0.0.1:${await listening(provider)}` };
  const shop = spawn("npm", ["start"], { env, detached: true, stdio: "inherit" });
  t.after(() => process.kill(-shop.pid, "SIGTERM"));
  const ask = (path, more) => fetch(`http://127.0.0.1:${PORT}/orders${path}`, more).catch(() => undefined);
  for (const end = Date.now() + 60_000; (await ask("/none"))?.status !== 404; await sleep(100))
    assert.ok(Date.now() < end, "The shop did not start within a minute.");

  assert.deepEqual(await (await ask("/OLD-7")).json(), { id: "OLD-7", cents: 700, chargeId: "ch_old_7" });
  const headers = { "content-type": "application/json" };
  const id = `OWN-${Date.now()}`;
  const placed = await ask("", { method: "POST", headers, body: JSON.stringify({ id, cents: 100 }) });
  assert.equal(placed.status, 201);
  assert.equal((await (await ask(`/${id}`)).json()).cents, 100);

  const { runId } = await placed.json(); // with Handrail, it is paid
  for (const end = Date.now() + 60_000; runId; await sleep(100)) {
    if ((await (await ask(`/${id}`)).json()).chargeId === "ch_own_test") return;
    assert.ok(Date.now() < end, "The order was not paid within a minute.");
  }
});
