import type { Home } from "../../scripts/database/home";

/** Loaded with the command that works on a database. @throws EnvError */
export type FindHome = () => Promise<Home>;
