/** Charges a card. The provider knows a repetition by its key, so that a retry charges nothing. */
export async function charge(order: string, cents: number, key: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${process.env.PROVIDER_URL}/charges`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({ order, cents }),
    signal,
  });
  if (!response.ok) throw new Error(`The provider answered ${response.status}`);
  const { id } = (await response.json()) as { id: string };
  return id;
}
