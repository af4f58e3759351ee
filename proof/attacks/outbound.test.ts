import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, it } from "vitest";
import { type Posted, post, type Resolve } from "../../lib/outbound/post";
import { isPublicAddress } from "../../lib/outbound/public-address";
import { checkReceiver } from "../../lib/outbound/receiver";
import { attackTable, unless } from "./table";

/*
 * An attacker who may set webhook addresses tries to reach this machine, its neighbors and the cloud metadata service;
 * a hostile receiver tries to redirect us, or to keep us busy.
 */

const attack = attackTable("outbound");

/** For each network that webhooks must not reach, addresses at its edges and inside. */
const INNER_V4 = [
  ...["0.0.0.0", "0.0.0.1", "0.255.255.255", "10.0.0.0", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.100.100.200"],
  ...["100.127.255.255", "127.0.0.0", "127.0.0.1", "127.1.2.3", "127.255.255.255", "168.63.129.16", "169.254.0.1"],
  ...["169.254.169.254", "169.254.170.2", "169.254.255.255", "172.16.0.0", "172.17.0.1", "172.31.255.255", "192.0.0.1"],
  ...["192.0.0.170", "192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.1.1", "192.168.255.255", "198.18.0.1"],
  ...["198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"],
];

const parts = (address: string) => address.split(".").map(Number) as [number, number, number, number];
const hex = (value: number) => value.toString(16);
const number = (address: string) => parts(address).reduce((sum, part) => sum * 256 + part, 0);

/** Unusual spellings of an IPv4 address. */
const spellings = (address: string): string[] => {
  const [a, b, c, d] = parts(address);
  const octal = (value: number) => `0${value.toString(8)}`;
  return [
    address,
    `${address}.`,
    String(number(address)),
    `0x${hex(number(address))}`,
    `0${number(address).toString(8)}`,
    [a, b, c, d].map((part) => `0x${hex(part)}`).join("."),
    [a, b, c, d].map(octal).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `0x${hex(a)}.${octal(b)}.${c * 256 + d}`,
    [a, b, c, d].join("%2e"),
    [a, b, c, d].join("。"),
    [a, b, c, d]
      .map((part) => String(part).replaceAll(/\d/g, (digit) => "０１２３４５６７８９"[Number(digit)] as string))
      .join("."),
  ];
};

/** The same addresses embedded in IPv6. */
const wrapped = (address: string): string[] => {
  const [a, b, c, d] = parts(address);
  const tail = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
  return [
    `::ffff:${address}`,
    `::ffff:${tail}`,
    `0:0:0:0:0:ffff:${tail}`,
    `::${address}`,
    `::ffff:0:${tail}`,
    `64:ff9b::${tail}`,
    `64:ff9b:1::${tail}`,
    `2002:${tail}::1`,
    `2001:0:${tail}::1`,
  ];
};

const INNER_V6 = [
  ...[
    "::",
    "::1",
    "fe80::1",
    "fe80::a9fe:a9fe",
    "febf::1",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "fdff::1",
    "ff00::1",
  ],
  ...[
    "ff02::1",
    "ff0e::1",
    "100::1",
    "2001::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "3fff::1",
    "5f00::1",
    "4000::1",
  ],
  ...["0:0:0:0:0:0:0:1", "fe80::1%eth0", "0000:0000:0000:0000:0000:0000:0000:0001"],
];

it("no address of an inner network is public, in whatever way it is written", async () => {
  const addresses = [...INNER_V4, ...INNER_V4.flatMap(wrapped), ...INNER_V6];
  await attack(addresses, async (address) => unless(!isPublicAddress(address), address, "is public"));
  await attack(["", "localhost", "1.2.3", "1.2.3.4.5", "0x7f000001", "::g", "1.2.3.4\n"], async (text) =>
    unless(!isPublicAddress(text), text, "is public"),
  );
});

it("and those of the world are", async () => {
  const addresses = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "100.63.255.255",
    "172.32.0.1",
    "192.167.0.1",
    "223.255.255.255",
  ];
  await attack([...addresses, "2606:4700:4700::1111", "2a00:1450:4001:81a::200e"], async (address) =>
    unless(isPublicAddress(address), address, "is not public"),
  );
});

it("no URL leads there by its text, nor elsewhere than to https at its own port", async () => {
  const urls = [
    ...INNER_V4.flatMap(spellings).map((host) => `https://${host}/`),
    ...[...INNER_V4.flatMap(wrapped), ...INNER_V6].map((host) => `https://[${host}]/`),
    ...[
      "http://example.com/",
      "ftp://example.com/",
      "file:///etc/passwd",
      "gopher://example.com/",
      "javascript:alert(1)",
    ],
    ...["data:text/plain,x", "//example.com/", "example.com", "https://", "https:///", "", "https://example.com:22/"],
    ...[
      "https://example.com:8443/",
      "https://example.com:80/",
      "https://user@example.com/",
      "https://user:pw@example.com/",
    ],
    ...[
      "https://example.com#@10.0.0.1/",
      "https://example.com/\r\nHost: inner",
      "https://exam\tple.com/",
      " https://example.com/",
    ],
    ...["https://example.com\\@10.0.0.1/", "https://example.com/ x", `https://example.com/${"a".repeat(2_100)}`],
    ...[
      "https://[::1",
      "https://exa mple.com/",
      "https://%00/",
      "blob:https://example.com/1",
      "https://\u202eexample.com/",
    ],
  ];
  await attack(urls, async (url) => unless(typeof checkReceiver(url, []) === "string", url, "is let through"));
});

it("what the environment allows is that origin alone", async () => {
  const internal = ["http://10.0.0.5:9000"];
  await attack(
    [
      "http://10.0.0.5/",
      "http://10.0.0.5:9001/",
      "https://10.0.0.5:9000/",
      "http://10.0.0.50:9000/",
      "http://a@10.0.0.5:9000/",
    ],
    async (url) => unless(typeof checkReceiver(url, internal) === "string", url, "is let through"),
  );
  await attack(["http://10.0.0.5:9000/hook", "http://0x0a000005:9000/"], async (url) =>
    unless(typeof checkReceiver(url, internal) !== "string", url, "is refused"),
  );
});

/** No server listens at these: a connection attempt is already a failure. */
const tryAll =
  (answers: { address: string; family: number }[]): Resolve =>
  async () =>
    answers;
const asked = (resolve: Resolve, url = "https://receiver.example/") =>
  post(url, "{}", {}, { internal: [], resolve, timeoutMs: 2_000 });

it("no name leads there, whatever its answers are", async () => {
  const bad = [...INNER_V4, ...["::1", "fe80::1", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::1"]];
  const family = (address: string) => (address.includes(":") ? 6 : 4);
  const rows = bad.flatMap((address) => {
    const inner = { address, family: family(address) };
    const outer = { address: "93.184.216.34", family: 4 };
    return [[inner], [outer, inner], [inner, outer]];
  });
  await attack(rows, async (answers) => {
    const { code, error } = await asked(tryAll(answers));
    return unless(code === null && /is in a private network/.test(error ?? ""), JSON.stringify(answers), error);
  });
  await attack([[]], async (answers) => {
    const { error } = await asked(tryAll(answers));
    return unless(/has no address/.test(error ?? ""), "no answer", error);
  });
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let answer: Answer = (_, response) => response.end();
let requests: { url: string; body: string; headers: IncomingMessage["headers"] }[] = [];
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    requests.push({ url: request.url ?? "", body, headers: request.headers });
    answer(request, response);
  });
});
let port = 0;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** To a receiver on this machine, by a name that resolves to it. */
async function toReceiver(
  given: Answer,
  { timeoutMs = 1_000, resolve }: { timeoutMs?: number; resolve?: Resolve } = {},
) {
  [answer, requests] = [given, []];
  const origin = `http://receiver.example:${port}`;
  const began = performance.now();
  const posted = await post(
    `${origin}/hook`,
    '{"a":1}',
    { "webhook-id": "1" },
    {
      internal: [origin],
      resolve: resolve ?? (async () => [{ address: "127.0.0.1", family: 4 }]),
      timeoutMs,
    },
  );
  return { posted, ms: performance.now() - began };
}

it("no redirect is followed, whatever it leads to", async () => {
  const targets = [
    "/other",
    "http://127.0.0.1:1/",
    "http://169.254.169.254/latest/meta-data",
    "https://10.0.0.1/",
    "file:///etc/passwd",
  ];
  const rows = [301, 302, 303, 307, 308].flatMap((status) => targets.map((location) => ({ status, location })));
  await attack(rows, async ({ status, location }) => {
    const { posted } = await toReceiver((_, response) => response.writeHead(status, { location }).end());
    const held = posted.code === status && posted.error !== null && requests.length === 1;
    return unless(held, `${status} ${location}`, posted);
  });
});

it("a name that leads elsewhere a moment later is asked once, and one that never answers is not waited for", async () => {
  let times = 0;
  const rebinding: Resolve = async () => {
    times += 1;
    return [{ address: times === 1 ? "127.0.0.1" : "10.0.0.1", family: 4 }];
  };
  await attack([rebinding], async (resolve) => {
    const { posted } = await toReceiver((_, response) => response.end(), { resolve });
    return unless(posted.code === 200 && times === 1, "rebinding", { posted, times });
  });
  await attack([() => new Promise<never>(() => undefined)], async (resolve) => {
    const { posted } = await toReceiver((_, response) => response.end(), { resolve, timeoutMs: 200 });
    return unless(posted.code === null && /No answer within/.test(posted.error ?? ""), "a silent resolver", posted);
  });
});

/** Receivers that would keep us busy; each with the expected outcome. */
const HOSTILE: [string, Answer, (posted: Posted) => boolean][] = [
  ["says nothing", () => undefined, ({ code }) => code === null],
  ["hangs up", (request) => request.socket.destroy(), ({ code }) => code === null],
  ["answers with half a head", (request) => request.socket.end("HTTP/1.1 200"), ({ code }) => code === null],
  ["answers with no HTTP", (request) => request.socket.end("hello\r\n\r\n"), ({ code }) => code === null],
  ["answers for ever", (_, response) => void endless(response), ({ code }) => code === 200],
  [
    "answers with a huge head",
    (_, response) => response.writeHead(200, { x: "a".repeat(40_000) }).end(),
    ({ code }) => code === null,
  ],
  ["answers 100 for ever", (request) => void continues(request), ({ code }) => code === null],
  ["breaks off in its body", (_, response) => void breaksOff(response), ({ code }) => code === 200],
  [
    "asks to wait for a century",
    (_, response) => response.writeHead(503, { "retry-after": "3153600000" }).end(),
    ({ code }) => code === 503,
  ],
  [
    "asks to wait for nonsense",
    (_, response) => response.writeHead(503, { "retry-after": "-1e9" }).end(),
    ({ retryAfterMs }) => retryAfterMs === 0,
  ],
  ["upgrades", (_, response) => response.writeHead(426, { upgrade: "h2c" }).end(), ({ code }) => code === 426],
];

function endless(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write("x".repeat(16_384)));
  };
  response.writeHead(200).on("drain", more);
  more();
}

function continues({ socket }: IncomingMessage): void {
  const timer = setInterval(() => socket.destroyed || socket.write("HTTP/1.1 100 Continue\r\n\r\n"), 20);
  socket.on("close", () => clearInterval(timer));
}

function breaksOff(response: ServerResponse): void {
  response.writeHead(200, { "content-length": "1000" }).write("half");
  setTimeout(() => response.destroy(), 20);
}

it("a receiver cannot keep us busy, nor say anything that we repeat", async () => {
  await attack(HOSTILE, async ([name, given, holds]) => {
    const { posted, ms } = await toReceiver(given, { timeoutMs: 500 });
    const words = posted.error ?? "";
    return unless(holds(posted) && ms < 5_000 && !/hello|half|xxx/.test(words), name, { posted, ms });
  });
});

it("headers are as they were given, and one that would be two is refused", async () => {
  const values = ["a\r\nx-injected: 1", "a\nb", "a\0b", "\r", "ä\u2028"];
  await attack(values, async (value) => {
    requests = [];
    const origin = `http://receiver.example:${port}`;
    const came = await post(
      `${origin}/`,
      "{}",
      { "webhook-id": value },
      {
        internal: [origin],
        resolve: async () => [{ address: "127.0.0.1", family: 4 }],
        timeoutMs: 500,
      },
    );
    return unless(came.code === null && requests.length === 0, JSON.stringify(value), came);
  });
});
