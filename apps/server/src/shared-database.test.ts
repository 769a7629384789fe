// Tells the type of what `inject` answers.
/// <reference types="@assay/testkit/postgres-setup" />
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createDatabase } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { FILES, startTestServer } from "./testing/start-test-server.ts"

let shared: Record<string, string>
let storage: string
beforeAll(async () => {
  storage = await mkdtemp(join(tmpdir(), "assay-shared-"))
  shared = {
    DATABASE_URL: await createDatabase(inject("postgresUrl")),
    ASSAY_SHARED_LOCAL: "1",
    ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: storage }),
    ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
  }
})
afterAll(() => rm(storage, { recursive: true }))

describe("two servers over one PostgreSQL database", () => {
  it("see the same records and the same files, with the same ETags [settings.database-url, settings.shared-local, settings.default-storage]", async () => {
    await using one = await startTestServer(shared)
    await using two = await startTestServer(shared)
    const filesets = `${FILES}/default/filesets`
    expect((await two.call("GET", filesets)).json.pagination.total_results).toBe(0)
    await one.call("POST", filesets, { json: { name: "common", custom_fields: { n: 5 } } })
    expect((await two.call("GET", `${filesets}?filter[custom_fields.n]=5`)).json.data[0].name).toBe("common")
    const put = await one.call("PUT", `${filesets}/common/-/a.txt`, { body: "hello" })
    const got = await two.call("GET", `${filesets}/common/-/a.txt`)
    expect([got.text, got.headers.etag]).toEqual(["hello", put.json.etag])
    await two.call("DELETE", `${filesets}/common`)
    expect((await one.call("GET", `${filesets}/common`)).status).toBe(404)
    expect((await one.call("GET", filesets)).json.pagination.total_results).toBe(0)
  })
})
