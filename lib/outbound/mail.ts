import nodemailer from "nodemailer";

const TIMEOUT_MS = 10_000;

export interface MailServer {
  /** smtp:// or smtps://, with the user's name and password where it takes them. */
  url: string;
  from: string;
}

export interface Mail {
  messageId: string;
  to: readonly string[];
  subject: string;
  text: string;
  html: string;
}

/** As Posted: `code` is what the server said last. */
interface Mailed {
  code: number | null;
  error: string | null;
  /** It will say the same however often it is asked. */
  final: boolean;
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Hands one mail to the server. Passwords go over an encrypted connection alone, unless the server is on this machine. */
export async function sendMail({ url, from }: MailServer, mail: Mail): Promise<Mailed> {
  const isHere = LOOPBACK.test(new URL(url).hostname);
  const transport = nodemailer.createTransport({
    url,
    ...(isHere ? { ignoreTLS: true } : { requireTLS: true }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    // What a mail is made of is text of ours: nothing of it is read from files or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { to, ...rest } = mail;
    const { rejected, response } = await transport.sendMail({ ...rest, from, to: [...to] });
    const code = codeIn(response);
    if (rejected.length === 0) return { code, error: null, final: true };
    // Another try would send it to the others once more.
    return { code, error: `The mail server refused ${rejected.length} of ${to.length} addresses.`, final: true };
  } catch (error) {
    const { responseCode, code } = error as { responseCode?: number; code?: string };
    if (responseCode !== undefined)
      return { code: responseCode, error: `The mail server answered ${responseCode}.`, final: responseCode >= 500 };
    const known = typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) ? code : "ERROR";
    return { code: null, error: `The mail server could not be reached (${known}).`, final: false };
  } finally {
    transport.close();
  }
}

const codeIn = (response: string): number | null => Number(/^\d{3}/.exec(response)?.[0]) || null;
