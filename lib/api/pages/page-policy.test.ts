import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pagePolicy, transportSecurity } from "./page-policy";

it("lets a page run what bears its nonce, and nothing inline or evaluated", () => {
  const policy = pagePolicy("bm9uY2U=", { development: false });
  expect(policy).toMatch(/(^|; )script-src 'nonce-bm9uY2U=' 'strict-dynamic'(;|$)/);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  for (const closed of ["default-src", "object-src", "base-uri", "frame-ancestors"])
    expect(policy).toContain(`${closed} 'none'`);
});

it("knows the style sheet that sonner writes into the page", () => {
  const source = readFileSync("node_modules/sonner/dist/index.mjs", "utf8");
  const [, css = ""] = /__insertCSS\((".*?(?<!\\)")\);?\n/s.exec(source) ?? [];
  const hash = createHash("sha256").update(JSON.parse(css)).digest("base64");
  expect(pagePolicy("", { development: false })).toContain(`'sha256-${hash}'`);
});

it("asks for https where that is how browsers find us, and only there", () => {
  expect(transportSecurity({ origin: "https://handrail.example.com" })).toBe("max-age=31536000");
  expect(transportSecurity({ origin: "http://localhost:3000" })).toBeNull();
  expect(transportSecurity({ origin: null })).toBeNull();
});
