// Declares the types of values that `inject` returns.
/// <reference types="@assay/testkit/postgres-setup" />
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createDatabase, findPgBouncer, queryDatabase, startPgBouncer, type PgBouncer } from "@assay/testkit"
import { verifies } from "@assay/testkit/verifies"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { CHECK, EVALUATION, GIVEN } from "./testing/evaluation-bodies.ts"
import { FILES, startTestServer, type TestServer } from "./testing/start-test-server.ts"

const isInstalled = findPgBouncer() !== undefined
if (!isInstalled) console.warn("Tests with PgBouncer are skipped: it is not installed.")

/** Fewer than the servers have clients, so that transactions of one client use different connections. */
const CONNECTIONS = 4

/** Settings and locks that a transaction has left on its connection. */
const LEAKED = `select name from pg_settings where source = 'session' and name like '%timeout'
  union all select 'advisory lock' from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`

describe.skipIf(!isInstalled)("two servers behind PgBouncer in transaction mode", () => {
  let pooler: PgBouncer
  let storage: string
  beforeAll(async () => {
    pooler = await startPgBouncer(inject("postgresUrl"), { connections: CONNECTIONS })
    storage = await mkdtemp(join(tmpdir(), "assay-pooled-"))
  })
  afterAll(async () => {
    await pooler.stop()
    await rm(storage, { recursive: true })
  })

  async function start(env: Record<string, string>): Promise<[TestServer, TestServer]> {
    const shared = {
      ...env,
      ASSAY_SHARED_LOCAL: "1",
      ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: storage }),
      ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
    }
    const [one, two] = await Promise.all([startTestServer(shared), startTestServer(shared)])
    return [one, two]
  }
  const warnings = (server: TestServer) =>
    server
      .log()
      .split("\n")
      // The folders of tests have ordinary modes.
      .filter((line) => /"level":[4-6]0/.test(line) && !line.includes("chmod"))

  // At the same time, because the second test waits for seconds.
  it.concurrent(
    "migrate, write at the same time, run each other's jobs, and hear of their events",
    verifies("database.pooler"),
    async () => {
      const direct = await createDatabase(inject("postgresUrl"))
      const servers = await start({ DATABASE_URL: pooler.addressOf(direct), DATABASE_NOTIFY_URL: direct })
      const [one, two] = servers
      const launch = (server: TestServer) =>
        server.call("POST", `${EVALUATION}/jobs`, { json: { target: GIVEN, config: CHECK } })
      const jobs = await Promise.all([launch(one), launch(two), launch(one), launch(two)])
      // Each server is asked about the jobs of the other one.
      const followed = jobs.map(({ json }, index) =>
        (index % 2 === 0 ? two : one).call("GET", `${EVALUATION}/jobs/${json.id}/events`),
      )
      const create = async (index: number) => {
        const name = `set${index}`
        await (index % 2 === 0 ? one : two).call("POST", `${FILES}/default/filesets`, { json: { name } })
        return (await two.call("PUT", `${FILES}/default/filesets/${name}/-/a.txt`, { body: name })).status
      }
      const created = await Promise.all(Array.from({ length: 30 }, (_, index) => create(index)))
      expect(new Set(created)).toEqual(new Set([200]))
      for (const { text } of await Promise.all(followed)) expect(text).toContain('"status":"COMPLETED"')
      const leaked = () => queryDatabase(pooler.addressOf(direct), LEAKED)
      expect((await Promise.all(Array.from({ length: CONNECTIONS }, leaked))).flat()).toEqual([])
      expect(servers.flatMap(warnings)).toEqual([])
      for (const server of servers) await server[Symbol.asyncDispose]()
    },
  )

  it.concurrent(
    "poll for events without DATABASE_NOTIFY_URL, and say what is missing",
    verifies("database.pooler"),
    async () => {
      const direct = await createDatabase(inject("postgresUrl"))
      const [one, two] = await start({ DATABASE_URL: pooler.addressOf(direct), ASSAY_ROLES: "api" })
      const body = { json: { target: GIVEN, config: CHECK } }
      const { id } = (await one.call("POST", `${EVALUATION}/jobs?skip_validation_checks=1`, body)).json
      const events = two.call("GET", `${EVALUATION}/jobs/${id}/events`)
      await expect.poll(() => two.log(), { timeout: 10_000 }).toContain("set DATABASE_NOTIFY_URL")
      await one.call("POST", `${EVALUATION}/jobs/${id}/cancel`)
      expect((await events).text).toContain('"status":"CANCELLED"')
      for (const server of [one, two]) await server[Symbol.asyncDispose]()
    },
  )
})
