import { Hono } from "hono";
import { z } from "zod";
import { check, readJson } from "./refusal";
import { type Http, settled, troubled, type World } from "./trouble";

const userSchema = z.object({
  id: z.string().min(1).max(100),
  name: z.string().min(1).max(200),
  email: z.email().max(320),
});
type User = z.infer<typeof userSchema>;

const usersBody = z.object({ users: z.array(userSchema).max(5_000) });
/** Five to a page: the users that are there at first make three pages. */
const pageQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(500).default(5),
});

const FIRST_NAMES = [
  "Ada Lovelace",
  "Alan Turing",
  "Annie Easley",
  "Barbara Liskov",
  "Edsger Dijkstra",
  "Frances Allen",
  "Grace Hopper",
  "Jim Gray",
  "Katherine Johnson",
  "Margaret Hamilton",
  "Radia Perlman",
  "Tony Hoare",
];

/** A directory of users in pages, as a workflow that copies users meets it. PUT sets the scene; no fault reaches it. */
export async function openUsers(world: World) {
  let users: User[] = FIRST_NAMES.map(firstUser);
  const journal = await world.journals.open<{ users: User[] }>("users", (entry) => {
    users = entry.users;
  });
  return new Hono<Http>()
    .get("/", troubled(world, "users"), settled(journal), (c) => {
      const { page, limit } = check(pageQuery, c.req.query());
      const shown = users.slice((page - 1) * limit, page * limit);
      return c.json({ users: shown, nextPage: page * limit < users.length ? page + 1 : null });
    })
    .put("/", settled(journal), async (c) => {
      journal.record(await readJson(c, usersBody));
      return c.json({ users });
    });
}

function firstUser(name: string, index: number): User {
  const email = `${name.toLowerCase().replace(" ", ".")}@example.com`;
  return { id: `user-${String(index + 1).padStart(2, "0")}`, name, email };
}
