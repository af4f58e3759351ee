-- handrail: online
-- On a server without NOTIFY, starts and events by SQL are kept all the same: workers find them by polling.
create or replace function handrail.note_work() returns void language plpgsql as $$
begin
  if coalesce(current_setting('handrail.notes', true), '') <> 'off' then
    begin
      perform pg_notify('handrail_work', '');
    exception when feature_not_supported or insufficient_privilege or undefined_function then
      null;
    end;
  end if;
end $$;
