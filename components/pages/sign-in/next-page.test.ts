import { expect, it } from "vitest";
import { nextPage, signInPage } from "./next-page";

const ORIGIN = "https://handrail.example.com";

it("goes back to the page that was asked for", () => {
  const link = signInPage({ pathname: "/runs", search: "?status=failed" });
  expect(nextPage(link.slice("/sign-in".length), ORIGIN)).toBe("/runs?status=failed");
});

it.each([
  "",
  "?next=",
  "?next=runs",
  "?next=https://evil.example",
  "?next=//evil.example",
  "?next=/\\evil.example",
  "?next=/%09/evil.example",
  "?next=javascript:alert(1)",
])("goes to no other site: %s", (search) => {
  expect(nextPage(search, ORIGIN)).toMatch(/^\/(?!\/)/);
  expect(new URL(nextPage(search, ORIGIN), ORIGIN).origin).toBe(ORIGIN);
});
