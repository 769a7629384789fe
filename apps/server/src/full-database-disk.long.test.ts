import { spawnSync } from "node:child_process"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { queryDatabase, startPostgres } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { FILES, startTestServer } from "./testing/start-test-server.ts"

interface SmallDisk extends AsyncDisposable {
  readonly folder: string
}

/** Mounts a small file system. */
async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), "assay-disk-"))
  const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder])
  if (status !== 0) {
    await rm(folder, { recursive: true })
    throw new Error(`mount failed: ${String(stderr)}`)
  }
  await chmod(folder, 0o777)
  return {
    folder,
    async [Symbol.asyncDispose]() {
      spawnSync("umount", ["-l", folder])
      await rm(folder, { recursive: true })
    },
  }
}

async function findOutWhetherItMounts(): Promise<boolean> {
  try {
    await using _disk = await mountSmallDisk(1)
    return true
  } catch {
    return false
  }
}

const mounts = await findOutWhetherItMounts()

/** Fills the disk of a database without its write-ahead log, which would need room too. */
async function fill(url: string): Promise<void> {
  await queryDatabase(
    url,
    "create unlogged table filler (bytes text); alter table filler alter bytes set storage external",
  )
  for (let bytes = 16_000_000; bytes >= 4000;) {
    const insert = `insert into filler select repeat('x', ${bytes})`
    bytes = await queryDatabase(url, insert).then(
      () => bytes,
      () => bytes >> 1,
    )
  }
}

/** Larger than the free room in existing database pages, and hard to compress. */
const large = () => Array.from({ length: 8000 }, () => Math.random().toString(36)).join("")

const sets = `${FILES}/default/filesets`

describe.skipIf(!mounts)(
  `a PostgreSQL database whose disk is full${mounts ? "" : ": skipped, because nothing can be mounted"}`,
  () => {
    it("results in 507, keeps all acknowledged data, and accepts writes again when there is room", async () => {
      await using disk = await mountSmallDisk(130)
      const storage = await mkdtemp(join(tmpdir(), "assay-full-"))
      const database = await startPostgres({ dir: disk.folder })
      try {
        await using server = await startTestServer({
          DATABASE_URL: database.url,
          ASSAY_SHARED_LOCAL: "1",
          ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: storage }),
          ASSAY_ENCRYPTION_KEYS: `one:${Buffer.alloc(32, 3).toString("base64")}`,
        })
        await server.call("POST", sets, { json: { name: "rows" } })
        await fill(database.url)
        const kept = ["rows"]
        const make = (name: string) => server.call("POST", sets, { json: { name, custom_fields: { text: large() } } })
        let refused = await make("set-0")
        for (let number = 1; refused.status === 200; number++) {
          kept.push(`set-${number - 1}`)
          refused = await make(`set-${number}`)
        }
        expect([refused.status, refused.json.code]).toEqual([507, "disk_full"])
        expect((await server.call("GET", "/health/live")).status).toBe(200)

        await queryDatabase(database.url, "drop table filler")
        for (const name of kept) expect((await server.call("GET", `${sets}/${name}`)).status).toBe(200)
        expect((await server.call("GET", `${sets}/set-${kept.length - 1}`)).status).toBe(404)
        expect((await make("after")).status).toBe(200)
        const put = await server.call("PUT", `${sets}/rows/-/a.txt`, { body: "alpha" })
        expect([put.status, put.json.sha256]).toEqual([200, expect.any(String)])
      } finally {
        await database.stop()
        await rm(storage, { recursive: true })
      }
    })
  },
)
