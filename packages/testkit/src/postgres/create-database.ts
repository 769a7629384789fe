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
