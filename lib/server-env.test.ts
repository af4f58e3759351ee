import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Env } from "./env";
import { serverEnv } from "./server-env";

// Unit tests share their process: what others have read is kept for them.
const shared = globalThis as { handrailEnv?: Env | undefined };
let read: Env | undefined;
beforeEach(() => {
  read = shared.handrailEnv;
  shared.handrailEnv = undefined;
});
afterEach(() => {
  shared.handrailEnv = read;
  vi.unstubAllEnvs();
});

it("a console is not served without sign-in where browsers on other machines open it", () => {
  vi.stubEnv("HANDRAIL_ORIGIN", "https://handrail.example.com");
  vi.stubEnv("HANDRAIL_SIGN_IN", "off");
  expect(serverEnv).toThrow(/set HANDRAIL_SIGN_IN=on/);
  vi.stubEnv("HANDRAIL_SIGN_IN", "on");
  expect(serverEnv()).toMatchObject({ signIn: true, origin: "https://handrail.example.com" });
});
