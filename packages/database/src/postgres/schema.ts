/** Number of rows for one count. Each connection writes to one of them, so that writers seldom wait for each other. */
const STRIPES = 16

/** The filesets that a statement added and removed. An update does both. */
const ADDED = "select workspace, purpose, storage_type, 1 as total from added"
const REMOVED = "select workspace, purpose, storage_type, -1 as total from removed"
const CHANGES = [
  { event: "insert", tables: "new table as added", filesets: ADDED },
  { event: "update", tables: "new table as added old table as removed", filesets: `${ADDED} union all ${REMOVED}` },
  { event: "delete", tables: "old table as removed", filesets: REMOVED },
] as const

/**
 * Returns triggers that count once per statement, because a row that changes often in one transaction becomes slow. Counts
 * are changed in the order of their keys, so that two writers can't wait for each other.
 */
function countTrigger({ event, tables, filesets }: (typeof CHANGES)[number]): string[] {
  const counted = `count_filesets_after_${event}`
  return [
    `create function ${counted}() returns trigger language plpgsql as $$ begin
      insert into fileset_counts (workspace, purpose, storage_type, stripe, total, changes)
      select counted.workspace, change.purpose, change.storage_type, pg_backend_pid() % ${STRIPES}, sum(change.total), 1
      from (${filesets}) as change, lateral (values (''), (change.workspace)) as counted (workspace)
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (workspace, purpose, storage_type, stripe)
      do update set total = fileset_counts.total + excluded.total, changes = fileset_counts.changes + 1;
      return null;
    end $$`,
    `create trigger filesets_counted_after_${event} after ${event} on filesets
      referencing ${tables} for each statement execute function ${counted}()`,
  ]
}

/** Schema only for PostgreSQL: its search indexes and triggers. */
export const POSTGRES_SCHEMA: readonly string[] = [
  "create extension if not exists pg_trgm",
  "create index filesets_by_name_part on filesets using gin (name_folded gin_trgm_ops)",
  "create index filesets_by_description_part on filesets using gin (description_folded gin_trgm_ops)",
  "create index filesets_by_custom_fields on filesets using gin ((custom_fields::jsonb) jsonb_path_ops)",
  "create index filesets_by_metadata on filesets using gin ((metadata::jsonb) jsonb_path_ops)",
  // These rows change often. With free space on each page they are updated in place, without index changes.
  "alter table fileset_counts set (fillfactor = 20)",
  ...CHANGES.flatMap(countTrigger),
]

const FILE_CHANGES = [
  { event: "insert", table: "new table as changed", sign: 1 },
  { event: "delete", table: "old table as changed", sign: -1 },
] as const

/**
 * Triggers that count files once per statement. Only files count that the server keeps, in the folder that readers see. If a fileset is
 * deleted, its row is gone before the digests of its files.
 */
export const POSTGRES_USAGE: readonly string[] = FILE_CHANGES.flatMap(({ event, table, sign }) => [
  `create function count_files_after_${event}() returns trigger language plpgsql as $$ begin
    insert into fileset_usage (fileset_id, files, bytes)
    select filesets.id, ${sign} * count(*), ${sign} * sum(changed.size)
    from changed join filesets on filesets.id = changed.fileset_id
    where owns_bytes = 1 and storage_type = 'local'
      and (subfolder = '' or substr(changed.path, 1, length(subfolder) + 1) = subfolder || '/')
    group by filesets.id order by filesets.id
    on conflict (fileset_id)
    do update set files = fileset_usage.files + excluded.files, bytes = fileset_usage.bytes + excluded.bytes;
    return null;
  end $$`,
  `create trigger file_digests_counted_after_${event} after ${event} on file_digests
    referencing ${table} for each statement execute function count_files_after_${event}()`,
])
