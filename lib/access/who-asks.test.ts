import { describe, expect, it } from "vitest";
import { readCookie, writeCookie } from "./cookie";
import { hashOf, newSecret } from "./secret";
import { credentialOf } from "./who-asks";

const https = { origin: "https://handrail.example.com", signIn: true };
const loopback = { origin: null, signIn: true };
const withHeaders = (headers: Record<string, string>) => new Headers(headers);

describe("the cookie", () => {
  it("is bound to the host over https, and out of reach of scripts and other sites everywhere", () => {
    expect(writeCookie("s", https)).toBe("__Host-handrail=s; Path=/; HttpOnly; SameSite=Lax; Secure");
    expect(writeCookie("s", loopback)).toBe("handrail=s; Path=/; HttpOnly; SameSite=Lax");
    expect(writeCookie(null, https)).toContain("Max-Age=0");
  });

  it("of another name is none of ours: not what a page without https may have planted", () => {
    expect(readCookie(withHeaders({ cookie: "handrail=planted" }), https)).toBeNull();
    expect(readCookie(withHeaders({ cookie: "a=b; __Host-handrail=s; c=d" }), https)).toBe("s");
    expect(readCookie(withHeaders({ cookie: "xhandrail=s" }), loopback)).toBeNull();
    expect(readCookie(withHeaders({ cookie: "handrail=" }), loopback)).toBeNull();
  });
});

describe("a caller's credential", () => {
  it("is a cookie or a token, never both", () => {
    const both = { cookie: "handrail=s", authorization: "Bearer hr_t" };
    expect(() => credentialOf(withHeaders(both), loopback)).toThrow(/not both/);
    expect(credentialOf(withHeaders({ cookie: "handrail=s" }), loopback)).toEqual({ kind: "session", secret: "s" });
    expect(credentialOf(withHeaders({ authorization: "Bearer hr_t" }), loopback)).toEqual({
      kind: "token",
      secret: "hr_t",
    });
    expect(credentialOf(withHeaders({}), loopback)).toBeNull();
  });

  it.each(["Basic YTpi", "Bearer", "Bearer ", "hr_t", `Bearer ${"x".repeat(600)}`, "Bearer a b"])(
    "is refused as %s",
    (authorization) => {
      expect(() => credentialOf(withHeaders({ authorization }), loopback)).toThrow(/Bearer TOKEN/);
    },
  );

  it("is no cookie where there is no sign-in", () => {
    expect(credentialOf(withHeaders({ cookie: "handrail=s" }), { origin: null, signIn: false })).toBeNull();
  });
});

it("a secret is 32 random bytes, of which a hash of 32 bytes is stored", () => {
  const secret = newSecret("hr_");
  expect(secret).toMatch(/^hr_[\w-]{43}$/);
  expect(newSecret("hr_")).not.toBe(secret);
  expect(hashOf(secret)).toHaveLength(32);
});
