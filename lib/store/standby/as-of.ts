/**
 * Now, as of what is read: on a standby, when it last replayed a commit. A lease is compared with this: what its worker has renewed
 * since is not here yet, and it would pass for dead.
 */
export const AS_OF = `case when pg_is_in_recovery() then coalesce(pg_last_xact_replay_timestamp(), clock_timestamp()) else clock_timestamp() end`;
