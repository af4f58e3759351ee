-- handrail: online
-- The blobs whose last call failed.
create index concurrently blob_failed on handrail.blob (failed_at) where failed_at is not null and gone_at is null;
