import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Problem } from "@/lib/api/contract/problems";
import { FailureBars } from "./failure-bars";
import { attemptsText, eventText, lookOf, muteText, watchersText } from "./problem-words";

describe("what is said of a problem", () => {
  it("tells failures after the last retry from those without a retry", () => {
    const of = (exhausted: number) => attemptsText({ kind: "failed", failures: 5, exhausted });
    expect([of(5), of(0), of(3)]).toEqual([
      "after the last retry",
      "without a retry",
      "3 after the last retry, 2 without a retry",
    ]);
  });

  it("says until when it is muted", () => {
    const muted = (given: Partial<Problem>) =>
      muteText({ failures: 10, mutedUntil: null, mutedToCount: null, ...given } as Problem);
    expect(muted({})).toBe("until it is reopened");
    expect(muted({ mutedToCount: 15 })).toBe("until 5 more failures");
    expect(muted({ mutedUntil: "2026-11-21T12:00:00Z" })).toBe("until it expires");
    expect(muted({ mutedUntil: "2026-11-21T12:00:00Z", mutedToCount: 11 })).toBe(
      "until 1 more failure, or until it expires",
    );
  });

  it("says who watches it, and that the reader does", () => {
    const of = (...names: string[]) => watchersText(names.map((name) => ({ name, you: name === "me" })));
    expect([of(), of("me"), of("ada"), of("ada", "me")]).toEqual([
      "nobody",
      "You watch it",
      "ada",
      "You watch it, with ada",
    ]);
    expect(of("me", "ada", "bo", "cy")).toBe("You watch it, with ada, bo and cy");
  });

  it("says who changed it, or that it changed by itself", () => {
    expect(eventText({ what: "resolve", by: "ada" })).toBe("ada resolved");
    expect(eventText({ what: "resolve", by: null })).toBe("Resolved");
  });

  it("asks for a person only while it is open and holds a run", () => {
    expect(lookOf({ status: "open", openRuns: 1 }).tone).toBe("red");
    expect(lookOf({ status: "open", openRuns: 0 }).tone).toBe("quiet");
    expect(lookOf({ status: "muted", openRuns: 9 }).tone).toBe("quiet");
  });

  it("tells a chart in words, and the time and number of each bar", () => {
    render(
      <FailureBars series={{ from: "2026-11-21T10:00:00.000Z", minutes: 60, counts: [0, 4, 1] }} period="3 hours" />,
    );
    expect(screen.getByRole("img", { name: "5 failures in the last 3 hours, at most 4 in an hour" })).toBeDefined();
    expect(screen.getByText(/^\w{3} \d\d:\d\d: 4 failures$/)).toBeDefined();
  });
});
