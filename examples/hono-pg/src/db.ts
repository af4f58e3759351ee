import pg from "pg";

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
// Without a listener, node ends the process when the session of a borrowed client ends.
pool.on("connect", (client) => client.on("error", () => undefined));
