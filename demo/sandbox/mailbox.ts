import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { Hono } from "hono";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerEnvelope, type SMTPServerSession } from "smtp-server";
import type { Fault } from "./faults";
import { type Http, settled, type World } from "./trouble";

const MESSAGE_MAX_BYTES = 10 * 1024 * 1024;
/**
 * Faults apply to the shop's mail only: notifications to its operators must not use up, or be lost by, the fault that
 * they report.
 */
const OPERATORS = /@operators\.example$/;
/** How long a client that keeps its connection open may hold up a stop. */
const CLOSE_MS = 500;

interface Message {
  id: string;
  messageId: string | null;
  from: string;
  to: string;
  subject: string;
  text: string;
  receivedAt: string;
}

type Entry = { type: "received"; message: Message } | { type: "emptied" };

/** An SMTP server that stores its mail. Like any other it accepts the same Message-ID twice if it is sent twice. */
export async function openMailbox(world: World) {
  let messages: Message[] = [];
  const journal = await world.journals.open<Entry>("mail", (entry) => {
    if (entry.type === "emptied") messages = [];
    else messages.push(entry.message);
  });
  const smtp = smtpServer(world, async (message) => {
    journal.record({ type: "received", message });
    await journal.onDisk();
  });
  const routes = new Hono<Http>()
    .use(settled(journal))
    .get("/", (c) => c.json({ messages }))
    .delete("/", (c) => {
      journal.record({ type: "emptied" });
      return c.body(null, 204);
    });
  return { routes, smtp };
}

function smtpServer(world: World, keep: (message: Message) => Promise<void>): SMTPServer {
  const sockets = new Map<number, Socket>();
  const hangUp = (session: SMTPServerSession) => sockets.get(session.remotePort)?.resetAndDestroy();

  const smtp = new SMTPServer({
    banner: "Handrail sandbox",
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    size: MESSAGE_MAX_BYTES,
    closeTimeout: CLOSE_MS,
    // A mailbox that is down does not even greet; the other faults, and a crash while connected, affect the message.
    async onConnect(session, welcome) {
      if (world.faults.of("mail").mode !== "down") return welcome();
      await world.faults.befalling("mail", { writes: true });
      hangUp(session);
    },
    async onData(stream, session, answer) {
      try {
        const message = await read(stream, session.envelope);
        if (stream.sizeExceeded) return answer(tooLarge());
        const fault = isForOperators(session.envelope)
          ? NO_FAULT
          : await world.faults.befalling("mail", { writes: true });
        if (fault.mode === "down") return hangUp(session);
        if (fault.mode === "flaky") return answer(temporaryFailure());
        if (fault.mode === "slow") await delay(fault.delayMs, undefined, { signal: world.stopping });
        await keep(message);
        if (fault.mode === "lose-answer") return hangUp(session);
        answer(null, `OK kept as ${message.id}`);
      } catch (error) {
        answer(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });

  smtp.server.on("connection", (socket) => {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    sockets.set(remotePort, socket);
    socket.once("close", () => sockets.delete(remotePort));
  });
  // A broken connection is the client's problem; an unhandled error would end the process.
  smtp.on("error", () => {});
  return smtp;
}

const NO_FAULT: Fault = { mode: "none" };
const isForOperators = ({ rcptTo }: SMTPServerEnvelope) => rcptTo.every(({ address }) => OPERATORS.test(address));

async function read(stream: SMTPServerDataStream, envelope: SMTPServerEnvelope): Promise<Message> {
  const email = await PostalMime.parse(await buffer(stream));
  return {
    id: `msg_${randomUUID()}`,
    messageId: email.messageId ?? null,
    from: envelope.mailFrom ? envelope.mailFrom.address : "",
    to: envelope.rcptTo.map((recipient) => recipient.address).join(", "),
    subject: email.subject ?? "",
    text: (email.text ?? email.html ?? "").trimEnd(),
    receivedAt: new Date().toISOString(),
  };
}

function tooLarge(): Error {
  return Object.assign(new Error(`a message may have ${MESSAGE_MAX_BYTES} bytes`), { responseCode: 552 });
}

function temporaryFailure(): Error {
  return Object.assign(new Error("flaky just now; nothing was kept"), { responseCode: 451 });
}
