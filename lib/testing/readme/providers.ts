interface Call {
  idempotencyKey: string;
  signal?: AbortSignal;
}

/** The reader's own clients, as the workflow in README.md calls them. */
export declare const payments: {
  charge(order: { orderId: string; amountCents: number }, call: Call): Promise<{ id: string }>;
  refund(chargeId: string, call: Call): Promise<{ id: string }>;
};
export declare const mail: { send(message: { to: string; subject: string }): Promise<{ messageId: string }> };
