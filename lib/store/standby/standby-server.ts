import pg from "pg";
import { cut } from "../database/listener";
import { clientDb, type Db } from "../db";
import { type Sight, selectIdentity, sightOf, Unusable } from "./sight";
import { PATIENCE_MS } from "./unless-hung";

/** How its connections call themselves in the database. */
export const READS = "handrail console reads";

/** The server behind the address of a standby, asked what it is. */
export class StandbyServer {
  private identity: string | null = null;

  constructor(
    readonly databaseUrl: string,
    private readonly primary: Db,
  ) {}

  /** On a new connection, since those of a pool may be in use. @throws where there is no answer within a second, Unusable */
  async ask(): Promise<Sight> {
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      application_name: READS,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await this.check(client);
      return await sightOf(client);
    } finally {
      cut(client);
    }
  }

  /** @throws Unusable for a standby of another database, where both servers say which theirs is */
  async check(client: pg.ClientBase): Promise<void> {
    this.identity ??= await selectIdentity(this.primary);
    const found = await selectIdentity(clientDb(client));
    if (this.identity !== null && found !== null && found !== this.identity)
      throw new Unusable("it is a standby of another cluster, or leads to another database");
  }
}
