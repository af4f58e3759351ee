import nodemailer from "nodemailer";
import { OutcomeUnknownError } from "../engine/outcome-unknown-error";
import { outsideWorld } from "./addresses";
import { ServiceUnavailable } from "./http";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

const TIMEOUT_MS = 10_000;

/** Sends one mail; gives its Message-ID. The key becomes part of it, so that a repetition can be told by the receiver. */
export async function sendMail(mail: Mail, idempotencyKey: string): Promise<{ messageId: string }> {
  const transport = nodemailer.createTransport({
    host: "127.0.0.1",
    port: outsideWorld().smtpPort,
    ignoreTLS: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  const messageId = `<${idempotencyKey.replaceAll(/[^A-Za-z0-9._-]/g, "-")}@handrail.example>`;
  try {
    await transport.sendMail({ from: "shop@handrail.example", messageId, ...mail });
    return { messageId };
  } catch (error) {
    throw wasSent(error)
      ? new OutcomeUnknownError("The mail server took the message, and its answer was lost", { cause: error })
      : new ServiceUnavailable("The mail server did not take the message", { cause: error });
  } finally {
    transport.close();
  }
}

/** A server that answered with a code has refused; before the message itself was sent, nothing can have been delivered. */
function wasSent(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: number; command?: string };
  return responseCode === undefined && command !== "CONN" && command !== "EHLO" && command !== "HELO";
}
