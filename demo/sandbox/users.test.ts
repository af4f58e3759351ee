import { describe, expect, it } from "vitest";
import { aSandbox } from "./fixture";

describe("the user directory", () => {
  it("is read page by page", async () => {
    const sandbox = await aSandbox();
    const pages = [];
    for (let page: number | null = 1; page !== null; ) {
      const { body } = await sandbox.get(`/users?page=${page}`);
      pages.push(body.users.length);
      page = body.nextPage;
    }
    expect(pages).toEqual([5, 5, 2]);
    expect((await sandbox.get("/users?limit=1")).body).toEqual({
      users: [{ id: "user-01", name: "Ada Lovelace", email: "ada.lovelace@example.com" }],
      nextPage: 2,
    });
    expect((await sandbox.get("/users?page=4")).body).toEqual({ users: [], nextPage: null });
    expect(await sandbox.get("/users?page=0")).toMatchObject({ status: 400 });
  });

  it("holds the users it is given, over a restart too", async () => {
    const sandbox = await aSandbox();
    const users = [{ id: "u1", name: "Leslie Lamport", email: "leslie@example.com" }];
    expect(await sandbox.put("/users", { users })).toEqual({ status: 200, body: { users } });
    await sandbox.restart();
    expect((await sandbox.get("/users")).body).toEqual({ users, nextPage: null });
    expect(await sandbox.put("/users", { users: [{ id: "u2" }] })).toMatchObject({ status: 400 });
  });

  it("goes down and gets flaky for its readers, not for the control calls", async () => {
    const sandbox = await aSandbox();
    await sandbox.put("/users/faults", { mode: "down" });
    expect(await sandbox.get("/users")).toMatchObject({ status: 503 });
    expect(await sandbox.put("/users", { users: [] })).toMatchObject({ status: 200 });

    await sandbox.put("/users/faults", { mode: "flaky", rate: 1 });
    expect(await sandbox.get("/users")).toMatchObject({ status: 503 });
  });
});
