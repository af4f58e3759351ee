import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestDatabase } from "../../../lib/testing/database/database";
import { hangServer } from "../../../lib/testing/database/hang-server";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../scripts/postgres/embedded";
import { createDatabase, type OwnServer, SETTINGS, startServer } from "../rig";
import { killProcesses, processesOfServer } from "../server-processes";
import { CELLS, type Cell } from "./order";

/** The PostgreSQL server of one cell. */
export class CellServer {
  private revived: EmbeddedPostgres | undefined;

  private constructor(
    private readonly dir: string,
    private readonly server: OwnServer,
  ) {}

  static async start(dir: string): Promise<CellServer> {
    return new CellServer(dir, await startServer(dir));
  }

  /** A fresh, migrated database that the witness watches. */
  database(): Promise<TestDatabase> {
    return createDatabase(this.server);
  }

  /** Every process dies at once, as with its machine. */
  async kill(): Promise<void> {
    await killProcesses(await this.processes());
    // A backend may have been born meanwhile.
    await killProcesses(await this.processes());
  }

  /** Under the same address, with its data. */
  async revive(): Promise<void> {
    const port = Number(new URL(this.server.url).port);
    const before = this.revived;
    this.revived = await startEmbeddedPostgres({ dir: this.dir, port, settings: SETTINGS });
    await before?.stop();
  }

  /** Every process stops, and no connection ends. The function lets them go on. */
  async hang(): Promise<() => void> {
    const [postmaster] = await this.processes();
    if (postmaster === undefined) throw new Error("No server runs.");
    return hangServer(postmaster);
  }

  async remove(): Promise<void> {
    await this.revived?.stop();
    await this.server.remove();
  }

  private processes(): Promise<number[]> {
    return processesOfServer(join(this.dir, "cluster/data"));
  }
}

/** Four servers that know nothing of each other. */
export interface Site {
  servers: Readonly<Record<Cell, CellServer>>;
  close(): Promise<void>;
}

/** About ten seconds. */
export async function startSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), "handrail-fleet-"));
  await chmod(folder, 0o755); // as root, PostgreSQL runs as another user, who has to get in
  const started = await Promise.all(
    CELLS.map(async (cell) => [cell, await CellServer.start(join(folder, cell))] as const),
  );
  return {
    servers: Object.fromEntries(started) as Record<Cell, CellServer>,
    async close() {
      await Promise.all(started.map(([, server]) => server.remove()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
