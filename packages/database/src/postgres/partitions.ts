/** Number of partitions. With 10,000,000 files, each has about 160 MB with its indexes. */
const PARTITIONS = 16

const partitions = Array.from({ length: PARTITIONS }, (_, index) => index)

/**
 * Replaces `content_digests` by a table with the same columns and rules that is partitioned by the hash of the path: also the
 * files of one large fileset are in all partitions. While the rows are copied, others read them, and writes wait.
 */
export const POSTGRES_PARTITIONS: readonly string[] = [
  "lock table content_digests in share mode",
  `create table partitioned_digests (like content_digests including defaults) partition by hash (path)`,
  ...partitions.map(
    (index) => `create table content_digests_${index} partition of partitioned_digests
      for values with (modulus ${PARTITIONS}, remainder ${index})`,
  ),
  "insert into partitioned_digests select * from content_digests",
  "drop table content_digests",
  "alter table partitioned_digests rename to content_digests",
  "alter table content_digests add constraint content_digests_key primary key (fileset_id, path)",
  `alter table content_digests add constraint content_digests_fileset_id_fkey
    foreign key (fileset_id) references filesets (id) on delete cascade`,
  "create index content_digests_by_sha256 on content_digests (fileset_id, sha256)",
]
