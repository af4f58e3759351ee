import { DrizzleQueryError } from "drizzle-orm/errors";
import { describe, expect, it } from "vitest";
import { isTrouble } from "./trouble";

const coded = (code: string) => Object.assign(new Error("a message"), { code });
const refused = new Error("connect ECONNREFUSED 127.0.0.1:5432");

describe("trouble of the database", () => {
  it.each([
    ["the server, which shuts down", coded("57P01")],
    ["no server", refused],
    ["no network to the server", coded("EHOSTUNREACH")],
    ["pg, without a connection in time", new Error("timeout expired")],
    ["postgres.js, without a connection", coded("CONNECTION_CLOSED")],
    [
      "Knex, without a connection in time",
      new Error("Knex: Timeout acquiring a connection. The pool is probably full."),
    ],
    [
      "Drizzle, about its driver",
      new DrizzleQueryError("select 1", [], new Error("Connection terminated unexpectedly")),
    ],
    ["Drizzle, about the server", new DrizzleQueryError("select 1", [], coded("57P01"))],
  ])("is what %s says", (_, error) => {
    expect(isTrouble(error)).toBe(true);
  });

  it.each([
    ["a violated constraint", coded("23505")],
    ["a violated constraint in Drizzle", new DrizzleQueryError("insert", [], coded("23505"))],
    ["a body whose provider cannot be reached", new Error("the provider failed", { cause: refused })],
    ["a text", "ECONNREFUSED"],
  ])("is not %s", (_, error) => {
    expect(isTrouble(error)).toBe(false);
  });
});
