import type { MigrationInterface, QueryRunner } from "typeorm";

export class Orders1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner) {
    await runner.query("create table orders (id text primary key, cents integer not null, charge_id text)");
  }
  async down(runner: QueryRunner) {
    await runner.query("drop table orders");
  }
}
