import { promises as fs } from "node:fs";
import path from "node:path";
import { FileMigrationProvider, Migrator } from "kysely/migration";
import { db } from "./db";

const migrationFolder = path.resolve("migrations");
const migrator = new Migrator({ db, provider: new FileMigrationProvider({ fs, path, migrationFolder }) });
const { error } = await migrator.migrateToLatest();
await db.destroy();
if (error) throw error;
