-- handrail: online
-- Slack, PagerDuty, Opsgenie and Microsoft Teams as destinations beside webhooks and e-mail. `secret` holds the token or key that
-- their service gave out, sealed like the signing secret of a webhook. In Teams the address itself is the credential.
alter table handrail.destination
  -- Of Slack: where its app posts.
  add column channel text,
  drop constraint destination_kind,
  add constraint destination_kind check (kind in ('webhook', 'email', 'slack', 'pagerduty', 'opsgenie', 'teams')),
  drop constraint destination_where,
  add constraint destination_where check ((kind <> 'email') = (url is not null)
    and (kind in ('webhook', 'slack', 'pagerduty', 'opsgenie')) = (secret is not null)
    and (kind = 'email') = (addresses is not null) and (kind = 'slack') = (channel is not null));

-- What a destination was told that needs attention, so that it is told under the same key when somebody works on it and when it is over.
create table handrail.incident (
  destination_id uuid not null,
  -- The service's key against duplicates.
  key text not null,
  -- The event that opened it.
  event jsonb not null,
  -- What the destination was last told, or is about to be.
  state text not null default 'open',
  -- The delivery that told it.
  delivery_id uuid not null,
  -- Of Slack: channel and timestamp of the first message, which later ones change and answer.
  thread text,
  opened_at timestamptz(6) not null default clock_timestamp(),
  changed_at timestamptz(6) not null default clock_timestamp(),
  constraint incident_pkey primary key (destination_id, key),
  constraint incident_destination foreign key (destination_id) references handrail.destination (id) on delete cascade,
  constraint incident_state check (state in ('open', 'acknowledged', 'resolved'))
);
create index incident_open on handrail.incident (destination_id) where state <> 'resolved';
create index incident_delivery on handrail.incident (delivery_id);
create index incident_old on handrail.incident (changed_at) where state = 'resolved';

-- Of a message that goes on about an incident: its key. Null: the message opens one, or stands alone.
alter table handrail.delivery add column incident text;
