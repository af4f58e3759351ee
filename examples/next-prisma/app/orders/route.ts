import { prisma } from "../../src/db";
import { handrail } from "../../src/handrail";
import { payOrder } from "../../src/order";

export async function POST(request: Request) {
  const order: { id: string; cents: number } = await request.json();
  const run = await prisma.$transaction(async (tx) => {
    await tx.order.createMany({ data: [order], skipDuplicates: true });
    return handrail.start(payOrder, order, { tx, idempotencyKey: `order:${order.id}` });
  });
  handrail.wake();
  return Response.json({ runId: run.id }, { status: 201 });
}
