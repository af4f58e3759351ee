import { embed } from "./embedding";
import { fastifyKysely } from "./fastify-kysely";
import { freshApps } from "./fresh-apps";
import { nextPrisma } from "./next-prisma";
import { quickstart } from "./quickstart";
import { rolling } from "./rolling";
import type { Path } from "./scene";
import { tutorial } from "./tutorial";
import { uninstall } from "./uninstall";
import { upgradePath } from "./upgrade";

/** In the order in which `npm run adopt` walks them. */
export const paths: readonly Path[] = [
  {
    name: "quickstart",
    does: "the block of README.md, line by line; a first run, a save, its test, then the console",
    walk: quickstart,
  },
  {
    name: "tutorial",
    does: "docs/tutorial.md, line by line, with what it invites to break",
    walk: tutorial,
  },
  {
    name: "next-prisma",
    does: "into a Next.js app with its own rows and migrations by Prisma",
    walk: (scene) => embed(scene, nextPrisma),
  },
  {
    name: "fastify-kysely",
    does: "into a Fastify app with its own rows and migrations by Kysely",
    walk: (scene) => embed(scene, fastifyKysely),
  },
  {
    name: "rolling",
    does: "two workers replaced by those of another version and back, twice, while runs are started",
    walk: rolling,
  },
  {
    name: "upgrade",
    does: "from the first package (`proof/package/first`) to this one, with 200 runs in flight",
    walk: upgradePath,
  },
  {
    name: "fresh-apps",
    does: "`handrail init` in fresh apps of Next.js, NestJS, Fastify and Express, and in an empty folder",
    walk: freshApps,
  },
  {
    name: "uninstall",
    does: "into the Fastify app and out again: `drop schema handrail cascade`, and it goes on",
    walk: uninstall,
  },
];
