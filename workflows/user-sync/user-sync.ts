import { z } from "zod";
import { defineWorkflow } from "../../lib/engine/workflow";

/** Copies the users of a directory, a step each, named by the user's id: new users add steps, none shifts another's. */
export const userSync = defineWorkflow(
  { name: "user-sync", title: "User sync", input: z.object({}), retry: { initialDelayMs: 500 } },
  async (ctx) => {
    const users = await ctx.step("fetch-users", ({ signal }) => ctx.services.users.fetchAll(signal), {
      effect: "pure",
      timeoutMs: 30_000,
    });
    await Promise.all(
      users.map(({ id, name, email }) =>
        ctx.transaction(`sync-user:${id}`, async (tx) => {
          await tx.syncedUser.upsert({
            where: { id },
            create: { id, name, email },
            update: { name, email, syncedAt: new Date() },
          });
        }),
      ),
    );
    return { synced: users.length };
  },
);
