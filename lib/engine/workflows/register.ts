/**
 * An app declares its own transaction client here, so that `ctx.transaction` is typed:
 * `declare module "handrail" { interface Register { transaction: Prisma.TransactionClient } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Register {}

/**
 * An app declares its services here, so that `ctx.services` is typed, each by its name:
 * `declare module "handrail" { interface Services { mail: Mailer } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Services {}
