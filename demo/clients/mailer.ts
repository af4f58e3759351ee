import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { OutcomeUnknownError } from "../../lib/engine/steps/outcome-unknown-error";
import { outsideWorld } from "./addresses";
import { ServiceUnavailable } from "./http";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

const SENDER = "shop@handrail.example";
const TIMEOUT_MS = 10_000;

/** Sends one mail; gives its Message-ID. The key becomes part of it, so that a receiver can recognize a repetition. */
export async function sendMail(mail: Mail, idempotencyKey: string): Promise<{ messageId: string }> {
  const messageId = `<${idempotencyKey.replaceAll(/[^A-Za-z0-9._-]/g, "-")}@handrail.example>`;
  const message = await new MailComposer({ from: SENDER, messageId, ...mail }).compile().build();
  const connection = new SMTPConnection({
    host: "127.0.0.1",
    port: outsideWorld().smtpPort,
    ignoreTLS: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    await greeted(connection);
    await taken(connection, mail.to, message);
    return { messageId };
  } finally {
    connection.close();
  }
}

/** Until the server is ready for a message. Before that, nothing can have been delivered. */
async function greeted(connection: SMTPConnection): Promise<void> {
  try {
    await settled(connection, (done) => connection.connect(done));
  } catch (cause) {
    throw new ServiceUnavailable("The mail server could not be reached", { cause });
  }
}

/** Until the server has taken the message. One that answered with a code has refused; without an answer, nobody knows. */
async function taken(connection: SMTPConnection, to: string, message: Buffer): Promise<void> {
  try {
    await settled(connection, (done) => connection.send({ from: SENDER, to }, message, done));
  } catch (cause) {
    if ((cause as SMTPConnection.SMTPError).responseCode !== undefined)
      throw new ServiceUnavailable("The mail server did not take the message", { cause });
    throw new OutcomeUnknownError("The mail server was handed the message, and its answer was lost", { cause });
  }
}

/** A connection that breaks says so by an event, not to whoever waits. */
function settled(connection: SMTPConnection, act: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once("error", reject);
    connection.once("end", () => reject(new Error("The connection ended")));
    act((error) => {
      connection.removeAllListeners("error");
      // A break after the answer concerns nobody; unheard, it would end the process.
      connection.on("error", () => undefined);
      if (error) reject(error);
      else resolve();
    });
  });
}
