import type { Answered } from "./api";
import { type Claims, startFakeProvider } from "./fake-provider";
import { anApiWithSignIn } from "./with-sign-in";

const ORIGIN = "http://127.0.0.1:3000";
const REDIRECT_URI = `${ORIGIN}/api/v1/session/provider/callback`;

const GROUP_ROLES = { "ops-admins": "admin", ops: "operator", staff: "viewer" };

/** A browser that was sent to the provider: with this address and cookie. */
export interface OnTheWay {
  url: string;
  cookie: string;
}

interface CameIn {
  status: number;
  /** Where the browser is sent. */
  location: string;
  /** Of the session, as a browser sends it; empty where there is none. */
  cookie: string;
}

/** The API with sign-in through a provider, for one test file. */
export async function anApiWithProvider() {
  const provider = await startFakeProvider(REDIRECT_URI);
  const api = await anApiWithSignIn({
    HANDRAIL_ORIGIN: ORIGIN,
    HANDRAIL_OIDC_ISSUER: provider.issuer,
    HANDRAIL_OIDC_CLIENT_ID: provider.clientId,
    HANDRAIL_OIDC_CLIENT_SECRET: provider.clientSecret,
    HANDRAIL_OIDC_ROLES: JSON.stringify(GROUP_ROLES),
  });
  const begin = async (body: object = {}): Promise<OnTheWay> => {
    const answer = await api.ask("POST", "/v1/session/provider", { body, headers: { origin: ORIGIN } });
    if (answer.status !== 200) throw new Error(`It did not begin: ${JSON.stringify(answer.body)}`);
    return { url: answer.body.url, cookie: cookieNamed(answer, "handrail-sign-in") };
  };
  const comeBack = async (back: URL, cookie: string): Promise<CameIn> => {
    const path = back.pathname.replace("/api", "") + back.search;
    const response = await api.send("GET", path, { headers: cookie === "" ? {} : { cookie } });
    const location = response.headers.get("location") ?? "";
    return { status: response.status, location, cookie: cookieNamed(response, "handrail") };
  };
  /** The complete sign-in, as this account of the provider. */
  const signIn = async (account: Claims, body: object = {}): Promise<CameIn> => {
    provider.account = account;
    const { url, cookie } = await begin(body);
    return comeBack(await provider.visit(url), cookie);
  };
  const sql = async (text: string, values: unknown[] = []) => (await api.database.pool.query(text, values)).rows;
  const close = () => Promise.all([api.close(), provider.close()]);
  return { ...api, provider, begin, comeBack, signIn, sql, close };
}

function cookieNamed({ headers }: Pick<Answered, "headers">, name: string): string {
  const all = headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  return all.find((cookie) => cookie.startsWith(`${name}=`) && cookie.length > name.length + 1) ?? "";
}
