import { randomUUID } from "node:crypto"
import { Client } from "pg"

/** Creates an empty database on the server at `serverUrl`, or a copy of the database `template`, and returns its address. */
export async function createDatabase(serverUrl: string, template = "template1"): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(`create database ${name} template ${client.escapeIdentifier(template)}`)
  } finally {
    await client.end()
  }
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Runs a statement on a new connection and returns its rows. */
export async function queryDatabase(
  databaseUrl: string,
  statement: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

/**
 * Gives a database its own clock, for all new connections: `clock_timestamp()` returns `time`, and one millisecond more at each
 * call. Sets the time of the clock if the database already has one.
 */
export async function installDatabaseClock(databaseUrl: string, time: number): Promise<void> {
  // A database that has its clock needs no changes of its catalog, which all connections to the server would have to read again.
  await queryDatabase(
    databaseUrl,
    `do $$ begin
       if to_regclass('test_clock.time') is not null then return; end if;
       create schema test_clock;
       create sequence test_clock.time;
       create function test_clock.clock_timestamp() returns timestamptz language sql volatile
         as 'select to_timestamp(nextval(''test_clock.time'') / 1000.0)';
       execute format('alter database %I set search_path = public, test_clock, pg_catalog', current_database());
     end $$;
     select setval('test_clock.time', ${time})`,
  )
}

/** Advances the clock that `installDatabaseClock` created. */
export async function advanceDatabaseClock(databaseUrl: string, ms: number): Promise<void> {
  await queryDatabase(databaseUrl, `select setval('test_clock.time', nextval('test_clock.time') + ${ms})`)
}
