import { Global, Inject, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from "@nestjs/common";
import { createHandrail, type Handrail } from "handrail";
import type { EntityManager } from "typeorm";
import config from "../handrail.config";
import { db } from "./db";

export const HANDRAIL = Symbol("handrail");
export type ShopHandrail = Handrail<EntityManager>;

/** Handrail, and a worker in this process, for as long as the application lives. */
@Global()
@Module({ providers: [{ provide: HANDRAIL, useFactory: () => createHandrail(config) }], exports: [HANDRAIL] })
export class HandrailModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(@Inject(HANDRAIL) private readonly handrail: ShopHandrail) {}

  async onApplicationBootstrap() {
    await this.handrail.worker().start();
  }

  async onApplicationShutdown() {
    await this.handrail.close();
    await db.destroy();
  }
}
