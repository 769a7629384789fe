// Declares the types of values that `inject` returns.
/// <reference types="@assay/testkit/postgres-setup" />
import { createHash } from "node:crypto"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createDatabase, installDatabaseClock, startFakeObjstore, verifies } from "@assay/testkit"
import type { CompileTime } from "@assay/validation"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { HUB_PREFIX } from "./hub/hub-address.ts"
import { createCompilers } from "./validation/compilers.ts"
import { FILES, SECRETS, startTestServer } from "./testing/start-test-server.ts"

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
  it(
    "see the same records and the same files, with the same ETags",
    verifies("settings.database-url", "settings.shared-local", "settings.default-storage"),
    async () => {
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
    },
  )

  it("are ready when the schemas of all their routes are compiled, which a server alone compiles later", async () => {
    const times: (CompileTime | undefined)[] = []
    const record = (time?: CompileTime) => {
      times.push(time)
      return createCompilers(time)
    }
    await using server = await startTestServer(shared, undefined, { createCompilers: record })
    expect((await server.call("GET", `${FILES}/default/filesets`)).status).toBe(200)
    await using alone = await startTestServer({}, undefined, { createCompilers: record })
    expect((await alone.call("GET", `${FILES}/default/filesets`)).status).toBe(200)
    expect(times).toEqual([{ isEager: true }, { isEager: false }])
  })

  it(
    "continue each other's uploads",
    verifies("tus.any-server", "tus.offset", "tus.finish", "hub.lfs-any-server"),
    async () => {
      await using one = await startTestServer(shared)
      await using two = await startTestServer(shared)
      const fileset = `${FILES}/default/filesets/uploaded`
      await one.call("POST", `${FILES}/default/filesets`, { json: { name: "uploaded" } })
      const tus = { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream" }
      const path = Buffer.from("a.txt").toString("base64")
      const started = await one.call("POST", `${fileset}/uploads`, {
        headers: { ...tus, "upload-length": "6", "upload-metadata": `path ${path}` },
        body: "abc",
      })
      const location = started.headers.location ?? ""
      expect([started.status, (await two.call("HEAD", location, { headers: tus })).headers["upload-offset"]]).toEqual([
        201,
        "3",
      ])
      expect((await two.call("HEAD", location, { headers: tus })).headers["upload-metadata"]).toBe(`path ${path}`)
      const end = await two.call("PATCH", location, { headers: { ...tus, "upload-offset": "3" }, body: "def" })
      expect([end.status, (await one.call("GET", `${fileset}/-/a.txt`)).text]).toEqual([204, "abcdef"])

      const oid = createHash("sha256").update("object").digest("hex")
      const batch = { operation: "upload", transfers: ["basic", "multipart"], objects: [{ oid, size: 6 }] }
      const answer = await one.call("POST", `${HUB_PREFIX}/default/uploaded.git/info/lfs/objects/batch`, {
        json: batch,
      })
      const { pathname } = new URL(JSON.parse(answer.text).objects[0].actions.upload.href)
      expect((await two.call("PUT", pathname, { body: "object" })).status).toBe(200)
      expect((await one.call("GET", `${HUB_PREFIX}/default/uploaded.git/info/lfs/objects/${oid}`)).text).toBe("object")
      const lines = [
        { key: "header", value: { summary: "Add an object" } },
        { key: "lfsFile", value: { path: "b.bin", algo: "sha256", oid, size: 6 } },
      ]
      const commit = await two.call("POST", `${HUB_PREFIX}/api/models/default/uploaded/commit/main`, {
        headers: { "content-type": "application/x-ndjson" },
        body: lines.map((line) => JSON.stringify(line)).join("\n"),
      })
      expect([commit.status, (await one.call("GET", `${fileset}/-/b.bin`)).text]).toEqual([200, "object"])
      // The bytes of both uploads are in files now.
      expect(await readdir(storage)).not.toContain("uploads")
    },
  )

  it(
    "warn if the clock of a machine differs from that of the database",
    verifies("leases.clock-skew-warning"),
    async () => {
      const database = await createDatabase(inject("postgresUrl"))
      await installDatabaseClock(database, Date.now() - 60_000)
      const own = { type: "local", path: join(storage, "own") }
      const env = { DATABASE_URL: database, ASSAY_DEFAULT_STORAGE: JSON.stringify(own) }
      await using server = await startTestServer({ ...shared, ...env })
      const warning = expect.stringContaining("s ahead of the clock of the database")
      expect((await server.call("GET", "/health/ready")).json).toEqual({ status: "ready", details: { clock: warning } })
      const { status, checks } = (await server.call("GET", "/status")).json
      expect([status, checks.clock]).toEqual(["healthy", { ok: false, detail: warning }])
      await expect.poll(() => server.log()).toContain("s ahead of the clock of the database")
    },
  )

  it(
    "can share an object store, without a shared folder",
    verifies("storage.default.objstore", "settings.default-storage", "brief.storage.objstore.prefix-relative"),
    async () => {
      const store = await startFakeObjstore()
      const env = {
        DATABASE_URL: await createDatabase(inject("postgresUrl")),
        ASSAY_ENCRYPTION_KEYS: shared["ASSAY_ENCRYPTION_KEYS"] ?? "",
        ASSAY_DEFAULT_STORAGE: JSON.stringify({
          type: "s3",
          bucket: store.bucket,
          prefix: "base",
          region: store.region,
          endpoint_url: store.endpoint,
          access_key_id_secret: "id",
          secret_access_key_secret: "key",
        }),
      }
      {
        await using one = await startTestServer(env)
        await using two = await startTestServer(env)
        expect((await one.call("GET", "/health/ready")).json.detail).toContain("'system/id'")
        for (const [name, value] of [
          ["id", store.accessKeyId],
          ["key", store.secretAccessKey],
        ]) {
          await one.call("POST", `${SECRETS}/system/secrets`, { json: { name, value } })
        }
        expect((await two.call("GET", "/health/ready")).status).toBe(200)

        const set = `${FILES}/default/filesets/common`
        await one.call("POST", `${FILES}/default/filesets`, { json: { name: "common" } })
        const put = await one.call("PUT", `${set}/-/folder/a.txt`, { body: "hello" })
        const got = await two.call("GET", `${set}/-/folder/a.txt`, { headers: { range: "bytes=1-" } })
        expect([got.text, got.headers.etag]).toEqual(["ello", put.json.etag])
        expect(
          (await two.call("PUT", `${set}/-/folder/a.txt`, { body: "x", headers: { "if-match": '"other"' } })).status,
        ).toBe(412)

        const tus = { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream" }
        const metadata = `path ${Buffer.from("b.txt").toString("base64")}`
        const upload = { ...tus, "upload-length": "5", "upload-metadata": metadata }
        expect((await two.call("POST", `${set}/uploads`, { body: "bytes", headers: upload })).status).toBe(201)
        const { json } = await one.call("GET", `${set}/files`)
        expect(json.data.map(({ path }: { path: string }) => path)).toEqual(["b.txt", "folder/a.txt"])

        await two.call("DELETE", `${set}?permanent=true`)
        await one.call("POST", `${FILES}/default/filesets`, { json: { name: "common" } })
        expect((await two.call("GET", `${set}/files`)).json.data).toEqual([])
        expect(store.objects()).toEqual(["base/assay-storage-id"])
      }
      await store.close()
    },
  )
})
