// Declares the types of values that `inject` returns.
/// <reference types="@assay/testkit/postgres-setup" />
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createDatabase, queryDatabase } from "@assay/testkit"
import { verifies } from "@assay/testkit/verifies"
import { expect, inject, it, onTestFinished } from "vitest"
import { CHECK, endOf, EVALUATION, GIVEN } from "./testing/evaluation-bodies.ts"
import { FILES, startTestServer } from "./testing/start-test-server.ts"

/** Creates a database whose owner may open only so many connections. */
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
  "A server with ASSAY_DATABASE_POOL=2 answers parallel requests and runs jobs with two connections",
  verifies("settings.database-pool"),
  async () => {
    const storage = await mkdtemp(join(tmpdir(), "assay-connections-"))
    onTestFinished(() => rm(storage, { recursive: true }))
    await using server = await startTestServer({
      DATABASE_URL: await createLimitedDatabase(2),
      ASSAY_DATABASE_POOL: "2",
      ASSAY_SHARED_LOCAL: "1",
      ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: storage }),
      ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
    })
    const launch = () => server.call("POST", `${EVALUATION}/jobs`, { json: { target: GIVEN, config: CHECK } })
    const create = (name: string) => server.call("POST", `${FILES}/default/filesets`, { json: { name } })
    const names = Array.from({ length: 20 }, (_, index) => `set${index}`)
    const [launched, ...created] = await Promise.all([launch(), ...names.map(create)])
    expect([launched.status, ...new Set(created.map(({ status }) => status))]).toEqual([201, 200])
    const events = server.call("GET", `${EVALUATION}/jobs/${launched.json.id}/events`)
    const written = names.map((name) => server.call("PUT", `${FILES}/default/filesets/${name}/-/a`, { body: name }))
    expect(new Set((await Promise.all(written)).map(({ status }) => status))).toEqual(new Set([200]))
    expect((await endOf(server, launched.json.id)).status).toBe("COMPLETED")
    expect((await events).text).toContain("COMPLETED")
    expect(server.log()).not.toMatch(/too many connections|timeout exceeded/)
  },
)
