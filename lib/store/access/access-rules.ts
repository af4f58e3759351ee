import type { Rule } from "../database/doctor-rules";

const BY_HAND = "somebody wrote to the table by hand";

/** Access rules: every sign-in and every grant of access has a row in the audit log. */
export const ACCESS_RULES: readonly Rule[] = [
  {
    name: "Where people sign in, one of them manages access",
    promise: "P9",
    meaning: `Nobody can invite, change or keep out anybody: ${BY_HAND}. Start with HANDRAIL_BOOTSTRAP_TOKEN set, and invite an admin with it (docs/access.md).`,
    sql: `
      select count(*)::int as people from handrail.person
      having count(*) > 0 and count(*) filter (where role = 'admin' and disabled_at is null and workflows is null) = 0`,
  },
  {
    name: "A person came by a link, or by a group of the sign-in provider, on record",
    promise: "P9",
    meaning: `Somebody can sign in whom nobody has invited: ${BY_HAND}. Keep them out on the Settings page, and look who could write to the database.`,
    sql: `
      select id, name, role from handrail.person where not demo and not exists (
        select from handrail.audit where audit.act in ('accept_invitation', 'join') and audit.actor = person.name
          and audit.result = 'done')`,
  },
  {
    name: "An account of the sign-in provider was linked on record",
    promise: "P9",
    meaning: `Somebody's account at the provider opens a person here, and nobody linked it: ${BY_HAND}. Keep the person out on the Settings page, and look who could write to the database.`,
    sql: `
      select person_id, issuer, subject from handrail.person_identity as identity where not exists (
        select from handrail.audit where audit.act in ('accept_invitation', 'join') and audit.result = 'done'
          and audit.after ->> 'issuer' = identity.issuer and audit.after ->> 'subject' = identity.subject)`,
  },
  {
    name: "A session that lives began with a sign-in on record",
    promise: "P9",
    meaning: `Somebody is signed in who never did: ${BY_HAND}. End the session on the Settings page, and look who could write to the database.`,
    sql: `
      select id, person_id from handrail.session
      where revoked_at is null and expires_at > clock_timestamp() and not exists (
        select from handrail.audit where audit.act in ('sign_in', 'accept_invitation', 'join') and audit.result = 'done'
          and audit.after ->> 'sessionId' = session.id::text)`,
  },
  {
    name: "A token was made by an audited action",
    promise: "P9",
    meaning: `A program can come with a token that nobody made: ${BY_HAND}. Revoke it on the Settings page, and look who could write to the database.`,
    sql: `
      select id, name, scopes from handrail.token where not exists (
        select from handrail.audit where audit.act = 'mint_token' and audit.result = 'done'
          and audit.after ->> 'tokenId' = token.id::text)`,
  },
];
