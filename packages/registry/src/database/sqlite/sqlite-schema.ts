/**
 * A count for the workspace of a fileset and one for all workspaces. SQLite has one writer, so there is one stripe.
 * @param row `old` or `new`
 */
function countOf(row: "old" | "new", total: number): string {
  const facets = `${row}.purpose, ${row}.storage_type, 0, ${total}, 1`
  return `insert into fileset_counts (workspace, purpose, storage_type, stripe, total, changes)
    values ('', ${facets}), (${row}.workspace, ${facets})
    on conflict do update set total = total + excluded.total, changes = changes + 1;`
}

const indexed =
  "insert into fileset_search (rowid, name_folded, description_folded) values (new.seq, new.name_folded, new.description_folded);"
// The index keeps no copy of the text, so it must be told what to forget.
const forgotten =
  "insert into fileset_search (fileset_search, rowid, name_folded, description_folded) values ('delete', old.seq, old.name_folded, old.description_folded);"

/** What only SQLite has: its search index by trigrams over folded text, and triggers. */
export const SQLITE_SCHEMA: readonly string[] = [
  `create virtual table fileset_search using fts5(
    name_folded, description_folded,
    content = 'filesets', content_rowid = 'seq', columnsize = 0, tokenize = 'trigram case_sensitive 1'
  )`,
  `create trigger filesets_inserted after insert on filesets begin ${countOf("new", 1)} ${indexed} end`,
  `create trigger filesets_deleted after delete on filesets begin ${countOf("old", -1)} ${forgotten} end`,
  `create trigger filesets_updated after update on filesets begin ${countOf("old", -1)} ${countOf("new", 1)} end`,
  `create trigger filesets_described after update of description_folded on filesets
    when old.description_folded <> new.description_folded begin ${forgotten} ${indexed} end`,
]
