import { expect, it } from "vitest";
import { filterOf } from "./filter";

it("reads the language of the console into what the API takes", () => {
  expect(
    filterOf("status:failed workflow:order since:24h -step:pay tag.orderId:A-17 took:>5m did:charge not:ship A-9"),
  ).toEqual({
    status: ["failed"],
    workflow: ["order"],
    createdAfter: "24h",
    notStep: ["pay"],
    tags: { orderId: ["A-17"] },
    where: ["did:charge", "-did:ship"],
    tookOverMs: 300_000,
    q: "A-9",
  });
  expect(filterOf("  ")).toEqual({});
});

it("says of each wrong term what to write instead", () => {
  expect(() => filterOf("status:broken -since:24h")).toThrow(/^status:broken: .*\n-since:24h: since cannot be negated/);
});
