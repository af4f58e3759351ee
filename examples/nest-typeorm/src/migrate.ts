import { db } from "./db";

await db.initialize();
await db.runMigrations();
await db.destroy();
