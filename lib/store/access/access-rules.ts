import type { Rule } from "../database/doctor-rules";

const BY_HAND = "the table was changed outside Handrail";

/** Access rules: every sign-in and every grant of access has a row in the audit log. */
export const ACCESS_RULES: readonly Rule[] = [
  {
    name: "Where people sign in, one of them manages access",
    promise: "P9",
    meaning: `No one can invite, change or remove people: ${BY_HAND}. Start with HANDRAIL_BOOTSTRAP_TOKEN set, and invite an admin with it (docs/access.md).`,
    sql: `
      select count(*)::int as people from handrail.person
      having count(*) > 0 and count(*) filter (where role = 'admin' and disabled_at is null and workflows is null) = 0`,
  },
  {
    name: "Every person was added by an audited invitation link or sign-in provider group",
    promise: "P9",
    meaning: `A person who was not invited can sign in: ${BY_HAND}. Keep them out on the Settings page, and check who could write to the database.`,
    sql: `
      select id, name, role from handrail.person where not demo and not exists (
        select from handrail.audit where audit.act in ('accept_invitation', 'join') and audit.actor = person.name
          and audit.result = 'done')`,
  },
  {
    name: "Every linked account of the sign-in provider has an audited link",
    promise: "P9",
    meaning: `An account at the sign-in provider signs in as a person here without an audited link: ${BY_HAND}. Keep the person out on the Settings page, and check who could write to the database.`,
    sql: `
      select person_id, issuer, subject from handrail.person_identity as identity where not exists (
        select from handrail.audit where audit.act in ('accept_invitation', 'join') and audit.result = 'done'
          and audit.after ->> 'issuer' = identity.issuer and audit.after ->> 'subject' = identity.subject)`,
  },
  {
    name: "Every live session began with an audited sign-in",
    promise: "P9",
    meaning: `A session exists without a sign-in: ${BY_HAND}. End the session on the Settings page, and check who could write to the database.`,
    sql: `
      select id, person_id from handrail.session
      where revoked_at is null and expires_at > clock_timestamp() and not exists (
        select from handrail.audit where audit.act in ('sign_in', 'accept_invitation', 'join') and audit.result = 'done'
          and audit.after ->> 'sessionId' = session.id::text)`,
  },
  {
    name: "Every token was created by an audited action",
    promise: "P9",
    meaning: `A token works that no operator created: ${BY_HAND}. Revoke it on the Settings page, and check who could write to the database.`,
    sql: `
      select id, name, scopes from handrail.token where not exists (
        select from handrail.audit where audit.act = 'mint_token' and audit.result = 'done'
          and audit.after ->> 'tokenId' = token.id::text)`,
  },
];
