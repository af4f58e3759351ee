// Started by times.ts, one process per database: the web process's parts are created once. Prints how long each call
// took.
import pg from "pg";
import { anApi } from "../../../lib/testing/api/api";
import { TEST_AUDIT_KEY } from "../../../lib/testing/audit-keys";
import { type Took, timesOf } from "./ask";
import { CALLS } from "./calls";
import { factsOf } from "./facts";

const [url = "", times = "20"] = process.argv.slice(2);
process.env.DATABASE_URL = url;
process.env.HANDRAIL_AUDIT_KEY = TEST_AUDIT_KEY;
const pool = new pg.Pool({ connectionString: url, max: 1 });
const facts = await factsOf(pool);
const api = await anApi();
const told: Took[] = [];
for (const call of CALLS) told.push(await timesOf((path) => api.send("GET", `/v1${path}`), facts, call, Number(times)));
process.stdout.write(JSON.stringify(told));
process.exit(0);
