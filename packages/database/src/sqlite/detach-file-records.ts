import { FILE_RECORD_TABLES, hasFileRecords } from "../tables/file-record-tables.ts"
import { SQLITE_USAGE } from "./schema.ts"

/** SQLite cannot drop a foreign key, so the tables are copied, each with what references it. */
const COPIES: readonly string[] = [
  `create table new_file_digests (
    fileset_id text not null, path text not null, size integer not null, mtime_ns text not null, sha256 text not null,
    constraint file_digests_key primary key (fileset_id, path, size, mtime_ns)
  ) without rowid`,
  "insert into new_file_digests select fileset_id, path, size, mtime_ns, sha256 from file_digests",
  "drop table file_digests",
  "alter table new_file_digests rename to file_digests",
  ...SQLITE_USAGE,

  `create table new_content_digests (
    fileset_id text not null, path text not null, version text not null, sha256 text not null,
    constraint content_digests_key primary key (fileset_id, path)
  ) without rowid`,
  "insert into new_content_digests select fileset_id, path, version, sha256 from content_digests",
  "drop table content_digests",
  "alter table new_content_digests rename to content_digests",
  "create index content_digests_by_sha256 on content_digests (fileset_id, sha256)",

  `create table new_file_trees (
    fileset_id text not null, commit_id text not null, seq integer not null, created_at integer not null,
    title text not null, files blob not null,
    constraint file_trees_key primary key (fileset_id, commit_id)
  )`,
  "insert into new_file_trees select fileset_id, commit_id, seq, created_at, title, files from file_trees",
  `create table new_file_pieces (
    fileset_id text not null, digest text not null, seen_at integer not null, marks blob not null, files blob not null,
    constraint file_pieces_key primary key (fileset_id, digest)
  )`,
  "insert into new_file_pieces select fileset_id, digest, seen_at, marks, files from file_pieces",
  `create table new_file_piece_uses (
    fileset_id text not null, commit_id text not null, digest text not null,
    constraint file_piece_uses_key primary key (fileset_id, commit_id, digest),
    constraint file_piece_uses_commit foreign key (fileset_id, commit_id)
      references new_file_trees (fileset_id, commit_id) on delete cascade,
    constraint file_piece_uses_piece foreign key (fileset_id, digest) references new_file_pieces (fileset_id, digest)
  ) without rowid`,
  "insert into new_file_piece_uses select fileset_id, commit_id, digest from file_piece_uses",
  "drop table file_piece_uses",
  "drop table file_pieces",
  "drop table file_trees",
  // This also renames them in the foreign keys.
  "alter table new_file_pieces rename to file_pieces",
  "alter table new_file_trees rename to file_trees",
  "alter table new_file_piece_uses rename to file_piece_uses",
  "create index file_trees_by_age on file_trees (fileset_id, seq)",
  "create index file_piece_uses_by_piece on file_piece_uses (fileset_id, digest)",
]

/** Triggers that refuse records of files without a fileset, and note a removed fileset that leaves some. */
const TRIGGERS: readonly string[] = [
  ...FILE_RECORD_TABLES.map(
    (table) => `create trigger ${table}_have_a_fileset before insert on ${table}
      when not exists (select 1 from filesets where id = new.fileset_id)
      begin select raise(abort, 'There is no such fileset.'); end`,
  ),
  `create trigger filesets_leave_records after delete on filesets when ${hasFileRecords("old.id")}
    begin insert into removed_fileset_records (fileset_id) values (old.id); end`,
]

export const SQLITE_DETACHMENT: readonly string[] = [...COPIES, ...TRIGGERS]
