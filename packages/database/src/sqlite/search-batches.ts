import { countOf, FORGET, INDEX, SEARCHED } from "./schema.ts"

/**
 * Number of filesets that enter the search index together. Each write to the index makes a segment that is merged again and
 * again, the more often the larger the index is. A search reads the filesets that are not in the index one by one.
 */
const BATCH = 128

/**
 * The largest `seq` in the search index. Filesets with a larger one are not in it, and all others are. Its fileset exists, so that
 * each new fileset has a larger one.
 */
export const INDEXED = "(select seq from fileset_search_end)"

const INDEX_BATCH = `insert into fileset_search (rowid, ${SEARCHED})
    select seq, ${SEARCHED} from filesets
    where new.seq >= ${INDEXED} + ${BATCH} and seq > ${INDEXED} and seq <= new.seq;
  update fileset_search_end set seq = new.seq where new.seq >= seq + ${BATCH};`

const FORGET_INDEXED = `insert into fileset_search (fileset_search, rowid, ${SEARCHED})
  select 'delete', old.seq, old.name_folded, old.description_folded, old.fields_folded where old.seq <= ${INDEXED};`

/** SQLite gives the largest `seq` again after its fileset was deleted. */
const LOWER_END = `update fileset_search_end set seq = coalesce((select max(seq) from filesets where seq < old.seq), 0)
  where seq = old.seq;`

/** Lets new filesets wait for others before they enter the search index. */
export const SQLITE_SEARCH_BATCHES: readonly string[] = [
  "create table fileset_search_end (seq integer not null)",
  "insert into fileset_search_end select coalesce(max(seq), 0) from filesets",
  "drop trigger if exists filesets_inserted",
  "drop trigger if exists filesets_deleted",
  "drop trigger if exists filesets_described",
  `create trigger filesets_inserted after insert on filesets begin ${countOf("new", 1)} ${INDEX_BATCH} end`,
  `create trigger filesets_deleted after delete on filesets begin ${countOf("old", -1)} ${FORGET_INDEXED} ${LOWER_END} end`,
  `create trigger filesets_described after update on filesets
    when old.seq <= ${INDEXED} and (old.name_folded <> new.name_folded
      or old.description_folded <> new.description_folded or old.fields_folded <> new.fields_folded)
    begin ${FORGET} ${INDEX} end`,
]
