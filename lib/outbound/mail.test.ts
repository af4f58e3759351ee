import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { expect, it } from "vitest";
import { startSandbox } from "../../demo/sandbox/server";
import { messageOf, type ToSend } from "../engine/notices/delivery";
import { eventOf } from "../engine/notices/notice";
import { theOutsideWorld } from "../testing/processes/outside-world";
import { noticeFacts } from "../testing/rows/notice-facts";
import { mailOf } from "./mail-text";
import { send } from "./send";

const world = theOutsideWorld(startSandbox);

const hostile = noticeFacts({
  kind: "compensation.owed",
  workflows: ["order\r\nBcc: everybody@example.com"],
  step: `<script>alert("1")</script>`,
  runId: "01890000-0000-7000-8000-000000000000",
});

const aMail = (count: number, ...to: string[]): ToSend => {
  const events = [eventOf(hostile)];
  return {
    id: "019f0000-0000-7000-8000-000000000000",
    body: JSON.stringify(messageOf(events, count, "https://handrail.example")),
    events,
    count,
    address: { id: "d", kind: "email", url: null, addresses: to, secrets: [] },
  };
};

it("says in text and in HTML what happened and where to go, without markup from outside", () => {
  const message = messageOf([eventOf(hostile)], 38, "https://handrail.example");
  const { text, html } = mailOf({ ...message, data: { ...message.data, runbook: "https://wiki.example/a" } });
  expect(text).toContain("Runbook: https://wiki.example/a");
  expect(html).toContain('<a href="https://wiki.example/a">Runbook</a>');
  expect(text).toContain("https://handrail.example/runs/01890000");
  expect(text).toContain("And 37 more");
  expect(html).not.toContain("<script>");
  expect(html).toContain("&lt;script&gt;");
});

it("arrives with a subject of one line under the delivery's own id; a second time under the same", async () => {
  const smtpPort = world.env().HANDRAIL_SMTP_PORT;
  const outbound = { internal: [], mail: { url: `smtp://127.0.0.1:${smtpPort}`, from: "handrail@shop.example" } };
  for (let time = 0; time < 2; time++)
    expect(await send(outbound, aMail(3, "oncall@operators.example"))).toMatchObject({ code: 250, error: null });
  const mails = await world.mails("oncall@operators.example");
  expect(mails).toHaveLength(2);
  expect(new Set(mails.map(({ messageId }) => messageId))).toEqual(
    new Set(["<019f0000-0000-7000-8000-000000000000@shop.example>"]),
  );
  expect(mails[0]?.subject).toMatch(/^order Bcc: everybody@example.com: .* must be compensated manually – and 2 more$/);
  expect(mails[0]?.to).toBe("oncall@operators.example");
});

it("reports a failure without the server's text", async () => {
  const unreachable = { internal: [], mail: { url: "smtp://127.0.0.1:1", from: "handrail@shop.example" } };
  expect(await send(unreachable, aMail(1, "oncall@operators.example"))).toMatchObject({ code: null, final: false });
  expect(await send({ internal: [], mail: null }, aMail(1, "a@example.com"))).toMatchObject({
    error: expect.stringContaining("HANDRAIL_SMTP_URL"),
  });
});

it("has arrived when some of its addresses were refused, with a note; refused by all for now, it is retried", async () => {
  const taken: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = Number(address.slice(0, 3));
      done(Number.isNaN(responseCode) ? null : Object.assign(new Error("No."), { responseCode }));
    },
    onData: (stream, { envelope }, done) => {
      taken.push(...envelope.rcptTo.map(({ address }) => address));
      stream.resume().on("end", () => done());
    },
  });
  const { port } = await new Promise<AddressInfo>((ready) => {
    const listening = server.listen(0, "127.0.0.1", () => ready(listening.address() as AddressInfo));
  });
  const outbound = { internal: [], mail: { url: `smtp://127.0.0.1:${port}`, from: "handrail@shop.example" } };
  try {
    const some = await send(outbound, aMail(1, "550@example.com", "mia@example.com", "450@example.com"));
    expect(some).toMatchObject({
      code: 250,
      error: null,
      note: "The mail server refused 2 of 3 addresses (550, 450); the others have the message.",
    });
    expect(taken).toEqual(["mia@example.com"]);
    const none = await send(outbound, aMail(1, "450@example.com", "550@example.com"));
    expect(none).toMatchObject({ code: 450, error: "The mail server answered 450.", final: false });
    expect(await send(outbound, aMail(1, "550@example.com"))).toMatchObject({ code: 550, final: true });
  } finally {
    await new Promise<void>((closed) => server.close(closed));
  }
});
