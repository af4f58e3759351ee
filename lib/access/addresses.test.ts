import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { networkOf } from "./network";
import { clientOf, overwriteForwardedFor } from "./peer-address";

describe("the client address of a request", () => {
  it.each([
    ["no proxy: the sender's header counts for nothing", "6.6.6.6", "192.0.2.1", 0, "192.0.2.1"],
    ["nor does a longer header", "6.6.6.6, 7.7.7.7", "192.0.2.1", 0, "192.0.2.1"],
    ["a proxy's entry", "192.0.2.1", "10.0.0.1", 1, "192.0.2.1"],
    ["the proxy's last entry, not the sender's first", "6.6.6.6, 192.0.2.1", "10.0.0.1", 1, "192.0.2.1"],
    ["of two proxies, the first one's", "6.6.6.6, 192.0.2.1, 10.0.0.2", "10.0.0.1", 2, "192.0.2.1"],
    ["the socket's address where the proxy is missing", undefined, "10.0.0.1", 1, "10.0.0.1"],
    ["empty entries", " , ,", "10.0.0.1", 1, "10.0.0.1"],
  ])("%s", (_, forwarded, remote, proxies, client) => {
    expect(clientOf(forwarded, remote, proxies)).toBe(client);
  });

  it("is set before any listener reads the request", async () => {
    overwriteForwardedFor(0);
    const server = createServer((request, response) => response.end(String(request.headers["x-forwarded-for"])));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}`, { headers: { "x-forwarded-for": "6.6.6.6" } });
    expect(await answer.text()).toBe("127.0.0.1");
    const twice = get({ port, host: "127.0.0.1", headers: { "X-Forwarded-For": ["6.6.6.6", "7.7.7.7"] } });
    const [response] = await once(twice, "response");
    expect(String(await once(response, "data"))).toBe("127.0.0.1");
    server.close();
  });
});

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8:1:2::1", "2001:db8:1:2"],
  ["2001:0DB8:0001:0002::ffff", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["2001:db8::2:1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["::", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["[2001:db8::9]", "2001:db8:0:0"],
  ["203.0.113.7:51234", "203.0.113.7"],
  ["[2001:db8::9]:443", "2001:db8:0:0"],
  ["::ffff:cb00:7107", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["somebody", "somebody"],
])("%s is of the network %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it("an unknown address is one network", () => {
  expect(networkOf(null)).toBe("unknown");
});
