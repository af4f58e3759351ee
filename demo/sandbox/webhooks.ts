import { createHmac, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import { z } from "zod";
import { check, Refusal, readJson } from "./refusal";
import { type Http, settled, troubled, type World } from "./trouble";

/** Older ones are dropped. */
const MOST_MESSAGES = 100;
/** A message that was signed longer ago, or is to be signed in the future, may have been recorded and played back. */
const MAX_AGE_S = 300;

interface Message {
  /** The same for every attempt at one delivery. */
  id: string;
  /** Unix seconds, as signed. */
  timestamp: number;
  /** Refused messages are kept for inspection, but not acknowledged. */
  signature: "right" | "wrong";
  body: string;
  receivedAt: string;
}

type Entry = { type: "received"; message: Message } | { type: "secret"; secret: string };

const secretBody = z.object({ secret: z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/) });
const headersSchema = z.object({
  id: z.string().min(1).max(200),
  timestamp: z.coerce.number().int(),
  signatures: z.string().max(2_000),
});

/**
 * A receiver of webhooks as specified by https://www.standardwebhooks.com: accepts messages signed with the configured
 * secret.
 */
export async function openWebhooks(world: World) {
  let messages: Message[] = [];
  let secret: string | null = null;
  const journal = await world.journals.open<Entry>("webhooks", (entry) => {
    if (entry.type === "secret") secret = entry.secret;
    else messages = [...messages, entry.message].slice(-MOST_MESSAGES);
  });
  return new Hono<Http>()
    .get("/", settled(journal), (c) => c.json({ messages, knowsSecret: secret !== null, address: c.req.url }))
    .put("/secret", settled(journal), async (c) => {
      journal.record({ type: "secret", ...(await readJson(c, secretBody)) });
      return c.json({ done: true });
    })
    .post("/", troubled(world, "webhooks"), settled(journal), async (c) => {
      const header = (name: string) => c.req.header(`webhook-${name}`) ?? "";
      const given = { id: header("id"), timestamp: header("timestamp"), signatures: header("signature") };
      const { id, timestamp, signatures } = check(headersSchema, given);
      const body = await c.req.text();
      const isFresh = Math.abs(Date.now() / 1_000 - timestamp) <= MAX_AGE_S;
      const isRight = secret !== null && isFresh && isSigned(secret, `${id}.${timestamp}.${body}`, signatures);
      const signature = isRight ? "right" : "wrong";
      journal.record({
        type: "received",
        message: { id, timestamp, signature, body, receivedAt: new Date().toISOString() },
      });
      if (!isRight) throw new Refusal("unauthorized", "the signature does not match the secret of this receiver");
      return c.body(null, 204);
    });
}

function isSigned(secret: string, content: string, signatures: string): boolean {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key).update(content).digest();
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
