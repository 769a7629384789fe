import { Client } from "pg"

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
