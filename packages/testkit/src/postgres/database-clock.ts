import { queryDatabase } from "./query-database.ts"

/**
 * Gives a database a clock of its own, for whoever connects from now on: `clock_timestamp()` returns `time`, and a
 * millisecond more each time it is asked. Sets the time of the clock if there is one already.
 */
export async function installDatabaseClock(databaseUrl: string, time: number): Promise<void> {
  await queryDatabase(
    databaseUrl,
    `create schema if not exists test_clock;
     create sequence if not exists test_clock.time;
     select setval('test_clock.time', ${time});
     create or replace function test_clock.clock_timestamp() returns timestamptz language sql volatile
       as $$ select to_timestamp(nextval('test_clock.time') / 1000.0) $$;
     do $$ begin
       execute format('alter database %I set search_path = public, test_clock, pg_catalog', current_database());
     end $$`,
  )
}

/** Advances the clock that `installDatabaseClock` created. */
export async function advanceDatabaseClock(databaseUrl: string, ms: number): Promise<void> {
  await queryDatabase(databaseUrl, `select setval('test_clock.time', nextval('test_clock.time') + ${ms})`)
}
