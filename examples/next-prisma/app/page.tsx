import { prisma } from "../src/db";

export const dynamic = "force-dynamic";

export default async function Orders() {
  const orders = await prisma.order.findMany({ take: 50, orderBy: { id: "desc" } });
  return (
    <ul>
      {orders.map(({ id, chargeId }) => (
        <li key={id}>
          {id}: {chargeId ? "paid" : "to be paid"}
        </li>
      ))}
    </ul>
  );
}
