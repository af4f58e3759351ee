import { nameProblem } from "../../engine/access/person-name";
import { createTestDatabase, type TestDatabase } from "../database/database";
import { type Asking, anApi } from "./api";

export const BOOTSTRAP = "bootstrap-0123456789-abcdefghijklmnop";
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const ORIGIN = { origin: "http://127.0.0.1:3000" };

/**
 * The API with sign-in on a separate database, for one test file.
 * @param settings more variables of the environment
 */
export async function anApiWithSignIn(settings: Record<string, string> = {}) {
  const database: TestDatabase = await createTestDatabase();
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    HANDRAIL_LOG: "silent",
    HANDRAIL_SIGN_IN: "on",
    HANDRAIL_BOOTSTRAP_TOKEN: BOOTSTRAP,
    ...settings,
  });
  const api = await anApi();
  /** As a program with this token. */
  const as = (token: string, method: string, path: string, asking: Asking = {}) =>
    api.ask(method, path, { ...asking, headers: { ...asking.headers, ...bearer(token) } });
  /** As a browser with this cookie. */
  const withCookie = (cookie: string, method: string, path: string, asking: Asking = {}) =>
    api.ask(method, path, { ...asking, headers: { cookie, ...(method !== "GET" && ORIGIN), ...asking.headers } });
  /** The cookie that an answer sets, as a browser sends it. */
  const cookieOf = ({ headers }: { headers: Headers }) => headers.get("set-cookie")?.split(";")[0] ?? "";
  const mint = async (scopes: string[], more: object = {}): Promise<string> => {
    const words = scopes.join(" ");
    const body = {
      name: nameProblem(words) ? `${words} token` : words,
      scopes,
      expiresInDays: 1,
      reason: "a test",
      ...more,
    };
    return (await as(BOOTSTRAP, "POST", "/v1/tokens", { body })).body.secret;
  };
  /** Invited, with a password chosen, and signed in. */
  const person = async (name: string, password: string, more: object = {}): Promise<string> => {
    const invitation = { name, role: "operator", reason: "a test", ...more };
    const { body } = await as(BOOTSTRAP, "POST", "/v1/people/invitations", { body: invitation });
    return cookieOf(await api.ask("POST", "/v1/set-up", { body: { secret: body.secret, password } }));
  };
  const close = async () => {
    const { shutdown } = await import("../../shutdown");
    await shutdown();
    await database.drop();
  };
  return { ...api, database, as, withCookie, cookieOf, mint, person, close };
}
