import { FILE_RECORD_TABLES, hasFileRecords } from "../tables/file-record-tables.ts"

const EVENTS = ["insert", "update"] as const

/**
 * Removes the foreign keys to filesets. Triggers refuse records without a fileset with the same error, and lock the fileset like
 * the foreign key did: its removal waits for the transaction. An update is checked because of `on conflict`.
 */
export const POSTGRES_DETACHMENT: readonly string[] = [
  ...FILE_RECORD_TABLES.map((table) => `alter table ${table} drop constraint ${table}_fileset_id_fkey`),
  `create function check_fileset_of_records() returns trigger language plpgsql as $$
    declare known bigint;
    begin
      perform 1 from filesets where id in (select fileset_id from added) order by id for key share;
      get diagnostics known = row_count;
      if known < (select count(distinct fileset_id) from added) then
        raise foreign_key_violation using message = 'There is no such fileset.';
      end if;
      return null;
    end $$`,
  ...FILE_RECORD_TABLES.flatMap((table) =>
    EVENTS.map(
      (event) => `create trigger ${table}_have_a_fileset_after_${event} after ${event} on ${table}
        referencing new table as added for each statement execute function check_fileset_of_records()`,
    ),
  ),
  `create function note_removed_records() returns trigger language plpgsql as $$ begin
    insert into removed_fileset_records (fileset_id) select id from removed where ${hasFileRecords("removed.id")};
    return null;
  end $$`,
  `create trigger filesets_leave_records after delete on filesets
    referencing old table as removed for each statement execute function note_removed_records()`,
]
