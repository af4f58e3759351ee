import { Body, Controller, Get, Inject, NotFoundException, Param, Post } from "@nestjs/common";
import { db, orders } from "./db";
import { HANDRAIL, type ShopHandrail } from "./handrail.module";
import { payOrder } from "./order";

@Controller("orders")
export class OrdersController {
  constructor(@Inject(HANDRAIL) private readonly handrail: ShopHandrail) {}

  @Post()
  async place(@Body() order: { id: string; cents: number }) {
    const run = await db.transaction(async (tx) => {
      await tx.createQueryBuilder().insert().into(orders).values(order).orIgnore().execute();
      return this.handrail.start(payOrder, order, { tx, idempotencyKey: `order:${order.id}` });
    });
    this.handrail.wake();
    return { runId: run.id };
  }

  @Get(":id")
  async show(@Param("id") id: string) {
    const order = await db.manager.findOneBy(orders, { id });
    if (!order) throw new NotFoundException();
    return order;
  }
}
