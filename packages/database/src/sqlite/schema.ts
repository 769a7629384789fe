/**
 * Returns SQL that counts a fileset for its workspace and for all workspaces. SQLite has one writer, so there is one stripe.
 * @param row `old` or `new`
 */
export function countOf(row: "old" | "new", total: number): string {
  const facets = `${row}.purpose, ${row}.storage_type, 0, ${total}, 1`
  return `insert into fileset_counts (workspace, purpose, storage_type, stripe, total, changes)
    values ('', ${facets}), (${row}.workspace, ${facets})
    on conflict do update set total = total + excluded.total, changes = changes + 1;`
}

export const SEARCHED = "name_folded, description_folded, fields_folded"

/** The index keeps no copy of the text, so a deletion needs the old text. */
export const INDEX = `insert into fileset_search (rowid, ${SEARCHED})
  values (new.seq, new.name_folded, new.description_folded, new.fields_folded);`
export const FORGET = `insert into fileset_search (fileset_search, rowid, ${SEARCHED})
  values ('delete', old.seq, old.name_folded, old.description_folded, old.fields_folded);`

/** Longer maps are not indexed, because that makes writes slow. They are searched one by one. */
const LONGEST_FIELDS = 4000
const FIELDS = "coalesce(custom_fields_folded, custom_fields) || coalesce(metadata_folded, metadata)"

/** Replaces the old trigger, which did not handle changed names. */
export const SQLITE_RENAMES: readonly string[] = [
  "drop trigger filesets_described",
  `create trigger filesets_described after update on filesets
    when old.name_folded <> new.name_folded or old.description_folded <> new.description_folded
      or old.fields_folded <> new.fields_folded
    begin ${FORGET} ${INDEX} end`,
]

/** Whether a file counts: the server keeps the files of its fileset, and it is in the folder that readers see. */
const COUNTS = (row: "old" | "new") => `owns_bytes = 1 and storage_type = 'local'
  and (subfolder = '' or substr(${row}.path, 1, length(subfolder) + 1) = subfolder || '/')`

/** Triggers that count files. If a fileset is deleted, its row is gone before the digests of its files. */
export const SQLITE_USAGE: readonly string[] = [
  `create trigger file_digests_inserted after insert on file_digests begin
    insert into fileset_usage (fileset_id, files, bytes)
    select id, 1, new.size from filesets where id = new.fileset_id and ${COUNTS("new")}
    on conflict do update set files = files + 1, bytes = bytes + excluded.bytes;
  end`,
  `create trigger file_digests_deleted after delete on file_digests begin
    update fileset_usage set files = files - 1, bytes = bytes - old.size
    where fileset_id = (select id from filesets where id = old.fileset_id and ${COUNTS("old")});
  end`,
]

/** Schema only for SQLite: its search index by trigrams over folded text, and triggers. */
export const SQLITE_SCHEMA: readonly string[] = [
  `alter table filesets add column fields_folded text
    generated always as (case when length(${FIELDS}) <= ${LONGEST_FIELDS} then ${FIELDS} else '' end) virtual`,
  "create index filesets_with_long_fields on filesets (seq) where fields_folded = ''",
  `create virtual table fileset_search using fts5(
    ${SEARCHED},
    content = 'filesets', content_rowid = 'seq', columnsize = 0, tokenize = 'trigram case_sensitive 1'
  )`,
  `create trigger filesets_inserted after insert on filesets begin ${countOf("new", 1)} ${INDEX} end`,
  `create trigger filesets_deleted after delete on filesets begin ${countOf("old", -1)} ${FORGET} end`,
  `create trigger filesets_updated after update on filesets begin ${countOf("old", -1)} ${countOf("new", 1)} end`,
  `create trigger filesets_described after update on filesets
    when old.description_folded <> new.description_folded or old.fields_folded <> new.fields_folded
    begin ${FORGET} ${INDEX} end`,
]
