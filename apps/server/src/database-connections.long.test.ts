// Declares the types of values that `inject` returns.
/// <reference types="@assay/testkit/postgres-setup" />
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createDatabase, findPgBouncer, type PgBouncer, queryDatabase, startPgBouncer, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { CHECK, EVALUATION, GIVEN } from "./testing/evaluation-bodies.ts"
import { FILES, startTestServer, type TestServer } from "./testing/start-test-server.ts"

let storage: string
beforeAll(async () => {
  storage = await mkdtemp(join(tmpdir(), "assay-connections-"))
})
afterAll(() => rm(storage, { recursive: true }))

function start(env: Readonly<Record<string, string>>): Promise<TestServer> {
  // Each database has a storage of its own.
  const path = join(storage, new URL(env["DATABASE_URL"] ?? "").pathname)
  return startTestServer({
    ASSAY_SHARED_LOCAL: "1",
    ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path }),
    ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
    ...env,
  })
}

/** More than there are connections, and few enough that none waits for seconds. */
const FILESETS = 8

/** Creates filesets with a file, all at the same time and each on the next of the servers. Returns the statuses. */
async function writeFilesets(prefix: string, servers: readonly TestServer[]): Promise<Set<number>> {
  const write = async (index: number) => {
    const name = `${prefix}${index}`
    const server = servers[index % servers.length]
    await server?.call("POST", `${FILES}/default/filesets`, { json: { name } })
    return (await server?.call("PUT", `${FILES}/default/filesets/${name}/-/a`, { body: name }))?.status ?? 0
  }
  return new Set(await Promise.all(Array.from({ length: FILESETS }, (_, index) => write(index))))
}

/** Launches a job on one server, and returns its events from the other one. They end with the job. */
async function followJob(launching: TestServer, following: TestServer): Promise<string> {
  const body = { json: { target: GIVEN, config: CHECK } }
  const { id } = (await launching.call("POST", `${EVALUATION}/jobs?skip_validation_checks=1`, body)).json
  return (await following.call("GET", `${EVALUATION}/jobs/${id}/events`)).text
}

const COMPLETED = expect.stringContaining('"status":"COMPLETED"')

/** Creates a database whose owner may open only this number of connections. */
async function createLimitedDatabase(connections: number): Promise<string> {
  const url = new URL(await createDatabase(inject("postgresUrl")))
  const name = url.pathname.slice(1)
  const statements = [
    `create role ${name} login connection limit ${connections}`,
    `alter database ${name} owner to ${name}`,
    `alter schema public owner to ${name}`,
  ]
  await queryDatabase(url.href, statements.join("; "))
  url.username = name
  return url.href
}

it(
  "A server with ASSAY_DATABASE_POOL=3 answers parallel requests, runs jobs and hears notices with three connections",
  verifies("settings.database-pool"),
  async () => {
    await using server = await start({ DATABASE_URL: await createLimitedDatabase(3), ASSAY_DATABASE_POOL: "3" })
    const [events, statuses] = await Promise.all([followJob(server, server), writeFilesets("few", [server])])
    expect([events, statuses]).toEqual([COMPLETED, new Set([200])])
    expect(server.log()).not.toMatch(/too many connections|no notices/)
  },
)

const isInstalled = findPgBouncer() !== undefined
if (!isInstalled) console.warn("Tests with PgBouncer are skipped: it is not installed.")

/** Fewer than the servers use, so that transactions of one server use different connections. */
const POOLED = 4

/** Settings and locks that a transaction has left on its connection. */
const LEAKED = `select name from pg_settings where source = 'session' and name like '%timeout'
  union all select 'advisory lock' from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`

describe.skipIf(!isInstalled)("servers behind PgBouncer in transaction mode", () => {
  let pooler: PgBouncer
  let direct: string
  let pooled: string
  let servers: TestServer[]
  beforeAll(async () => {
    pooler = await startPgBouncer(inject("postgresUrl"), { connections: POOLED })
    direct = await createDatabase(inject("postgresUrl"))
    pooled = pooler.addressOf(direct)
    const env = { DATABASE_URL: pooled, DATABASE_NOTIFY_URL: direct }
    servers = await Promise.all([start(env), start(env)])
  })
  afterAll(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]()
    await pooler.stop()
  })

  // At the same time, because the second test waits for seconds.
  it.concurrent(
    "migrate, write at the same time, run each other's jobs, and hear of their events",
    verifies("database.pooler"),
    async () => {
      const [one, two] = servers as [TestServer, TestServer]
      const jobs = Promise.all([followJob(one, two), followJob(two, one), followJob(one, two), followJob(two, one)])
      expect(await writeFilesets("pooled", servers)).toEqual(new Set([200]))
      expect(await jobs).toEqual([COMPLETED, COMPLETED, COMPLETED, COMPLETED])
      const leaked = await Promise.all(Array.from({ length: POOLED }, () => queryDatabase(pooled, LEAKED)))
      expect(leaked.flat()).toEqual([])
      // The folders of tests have ordinary modes.
      const warnings = servers.flatMap((server) => server.log().split("\n").filter(isWarning))
      expect(warnings.filter((line) => !line.includes("chmod"))).toEqual([])
    },
  )

  it.concurrent(
    "look for events without DATABASE_NOTIFY_URL, and say what is missing",
    verifies("database.pooler"),
    async (context) => {
      await using deaf = await start({ DATABASE_URL: pooled })
      expect(await followJob(deaf, deaf)).toEqual(COMPLETED)
      await context.expect.poll(() => deaf.log(), { timeout: 20_000 }).toContain("set DATABASE_NOTIFY_URL")
    },
  )
})

function isWarning(line: string): boolean {
  return /"level":[4-6]0/.test(line)
}
