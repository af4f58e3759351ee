import type { Place } from "../../engine/privacy/sealed";
import type { Db, Statement } from "../db";

/** Where the reference to a blob is kept. */
export type BlobPlace = Extract<
  Place,
  readonly [string, "input" | "output"] | readonly [string, "step", string, number]
>;

/** A blob that is about to be written. */
export interface NewBlob {
  key: string;
  place: BlobPlace;
  /** The claim whose record is to refer to it; null: a start. */
  writer: { runId: string; epoch: number } | null;
  size: number;
  /** The id of the payload key; null: not sealed. */
  sealedWith: string | null;
  /** Of the last try; null before the first. */
  error: string | null;
}

/** As the triggers of the tables write it. */
const placeText = ([, part, name, generation]: BlobPlace) => (part === "step" ? `step ${generation} ${name}` : part);

/*
 * Guarantee: what is put into the store has a row before, so that it is found again whatever becomes of its writer. Again for each
 * try: the time until it counts as left behind begins anew.
 */
const announceStatement: Statement = {
  name: "announce-blob",
  text: `
    insert into handrail.blob (key, run_id, place, writer_run_id, writer_epoch, size, sealed_with, error)
    values ($1, $2::uuid, $3, $4::uuid, $5::bigint, $6::bigint, $7, $8)
    on conflict (key) do update set made_at = clock_timestamp(), error = excluded.error
    where blob.gone_at is null
    returning key`,
};

/** False: the blob was left behind for too long, and is being deleted. */
export async function announceBlob(db: Db, { key, place, writer, size, sealedWith, error }: NewBlob): Promise<boolean> {
  const by = [writer?.runId ?? null, writer?.epoch ?? null];
  const values = [key, place[0], placeText(place), ...by, size, sealedWith, error];
  return (await db.query(announceStatement, values)).length > 0;
}
