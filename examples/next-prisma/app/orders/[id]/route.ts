import { prisma } from "../../../src/db";

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }) {
  const order = await prisma.order.findUnique({ where: { id: (await params).id } });
  return order ? Response.json(order) : new Response(null, { status: 404 });
}
