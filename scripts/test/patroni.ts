import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackage, unpackPackages } from "./apt";
import { ensurePostgres15, findPostgres15 } from "./postgres-15";

/** The programs of a cluster of PostgreSQL that fails over by itself: Debian's. */
export interface ClusterPrograms {
  patroni: string;
  etcd: string;
  haproxy: string;
  /** The folder of PostgreSQL's programs. */
  postgres: string;
  /** Where the libraries of unpacked programs are. */
  libraries: string;
}

const OURS = join(tmpdir(), "handrail-cluster");
/** HAProxy's, which Debian does not install otherwise. */
const LIBRARIES = ["liblua5.3-0", "libopentracing-c-wrapper0", "libopentracing1"];

const findProgram = (path: string) => [path, join(OURS, path)].find((place) => existsSync(place));

export function findClusterPrograms(): ClusterPrograms | undefined {
  const [patroni, etcd, haproxy] = [
    existsSync("/usr/lib/python3/dist-packages/etcd") && findProgram("/usr/bin/patroni"),
    findProgram("/usr/bin/etcd"),
    findProgram("/usr/sbin/haproxy"),
  ];
  const postgres = findPostgres15();
  if (!patroni || !etcd || !haproxy || !postgres) return undefined;
  return {
    patroni,
    etcd,
    haproxy,
    postgres,
    libraries: join(OURS, `usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`),
  };
}

/** Installs Debian's where there are none and we may. Without them, the tests that need them are skipped, and say so. */
export async function ensureClusterPrograms(scratch: string): Promise<void> {
  if (findClusterPrograms()) return;
  await ensurePostgres15(scratch);
  // Neither runs by itself: its service asks for a configuration.
  for (const name of ["patroni", "python3-etcd"]) await installPackage(name, join(scratch, `apt-get-${name}.log`));
  // Installing these would start servers.
  await unpackPackages(["etcd-server", "haproxy", ...LIBRARIES], OURS, scratch);
}
