import { expect, it } from "vitest";
import { readEnv } from "./env";
import { addressesOf, readEnvOfApp } from "./env-of-app";

const SHOP = "postgresql://127.0.0.1:5432/shop";
const OTHER = "postgresql://127.0.0.1:5432/other";
const SOURCE = { DATABASE_URL: SHOP, PORT: "the app's own", NODE_ENV: "test" } as const;

it("an app has its own PORT, and may name its database itself", () => {
  const inEnvironment = readEnvOfApp({}, SOURCE);
  expect(addressesOf({}, inEnvironment)).toEqual({ databaseUrl: SHOP, directUrl: SHOP });
  const app = { databaseUrl: OTHER, directUrl: `${OTHER}?direct` };
  expect(addressesOf(app, readEnvOfApp(app, SOURCE))).toEqual(app);
});

it("a process that was started on one database refuses an app that names another", () => {
  const env = readEnv({ DATABASE_URL: SHOP, NODE_ENV: "test" });
  expect(addressesOf({ databaseUrl: SHOP }, env)).toEqual({ databaseUrl: SHOP, directUrl: SHOP });
  expect(() => addressesOf({ databaseUrl: OTHER }, env)).toThrow("Set DATABASE_URL to it");
  expect(() => addressesOf({}, readEnv({ NODE_ENV: "test" }))).toThrow("Handrail needs a database");
});

it("a console's fleet is none of the app's", () => {
  const fleet = {
    HANDRAIL_CELL: "eu",
    HANDRAIL_CELLS: "eu=https://eu.example.com,us=https://us.example.com",
    HANDRAIL_FLEET_SECRET: "0123456789abcdefghijklmnopqrstuvwxyz",
  };
  const source = { ...SOURCE, ...fleet, HANDRAIL_SIGN_IN: "on", HANDRAIL_ORIGIN: "https://eu.example.com" };
  expect(readEnvOfApp({}, source).fleet).toBeNull();
});
