import { expect, it, vi } from "vitest";
import { serverEnv } from "./server-env";

it("a console is not served without sign-in where browsers on other machines open it", () => {
  vi.stubEnv("HANDRAIL_ORIGIN", "https://handrail.example.com");
  vi.stubEnv("HANDRAIL_SIGN_IN", "off");
  expect(serverEnv).toThrow(/set HANDRAIL_SIGN_IN=on/);
  vi.stubEnv("HANDRAIL_SIGN_IN", "on");
  expect(serverEnv()).toMatchObject({ signIn: true, origin: "https://handrail.example.com" });
});
