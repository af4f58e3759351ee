const TIMEOUT_MS = 10_000;

export interface MailServer {
  /** smtp:// or smtps://, with user name and password if needed. */
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

/** Like Posted: `code` is the server's last reply. */
interface Mailed {
  code: number | null;
  error: string | null;
  /** Of a mail that only some of the addresses got. */
  note?: string;
  /** A permanent refusal: retrying does not help. */
  final: boolean;
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Sends one mail to the server. Passwords require an encrypted connection, unless the server is on this machine. */
export async function sendMail({ url, from }: MailServer, mail: Mail): Promise<Mailed> {
  const isHere = LOOPBACK.test(new URL(url).hostname);
  // Only here: no worker that sends no mail has it in memory.
  const { default: nodemailer } = await import("nodemailer");
  const transport = nodemailer.createTransport({
    url,
    ...(isHere ? { ignoreTLS: true } : { requireTLS: true }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    // A mail contains only our own text: nothing is read from files or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { to, ...rest } = mail;
    const { rejectedErrors: refused = [], response } = await transport.sendMail({ ...rest, from, to: [...to] });
    const accepted = { code: codeIn(response), error: null, final: true };
    if (refused.length === 0) return accepted;
    // A retry would send it to the other recipients once more.
    const codes = [...new Set(refused.map(({ responseCode }) => responseCode ?? "no code"))].join(", ");
    const some = `${refused.length} of ${to.length} addresses (${codes})`;
    return { ...accepted, note: `The mail server refused ${some}; the others have the message.` };
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
