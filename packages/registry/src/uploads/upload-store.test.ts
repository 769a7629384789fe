import { spawn, spawnSync } from "node:child_process"
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { AssayError } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openUploadStore, type FolderUploadStore } from "./upload-store.ts"

const HOUR = 3_600_000
const UPLOAD = {
  workspace: "default",
  fileset: "a",
  filesetId: "fileset-a",
  path: parseFilePath("file"),
  length: 7,
  sha256: null,
}
const finish = async (_: unknown, bytes: AsyncIterable<Uint8Array>) => void (await Array.fromAsync(bytes))

async function* bytesOf(content: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(content)
}

let folder: string
let now: number
let uploads: FolderUploadStore
let count = 0
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "uploads-")), "uploads")
  now = Date.now()
  uploads = openUploadStore({
    folder,
    lifetimeMs: HOUR,
    now: () => now,
    newId: (prefix) => `${prefix}-${"1".repeat(++count)}`,
  })
})
afterEach(() => rm(join(folder, ".."), { recursive: true, force: true }))

describe("an upload of another fileset", () => {
  it("is not found, and a request for it does not finish it", async () => {
    const { record } = await uploads.create(UPLOAD, finish)
    const full = () => Promise.reject(new AssayError("disk_full", "Full."))
    const piece = { offset: 0, bytes: bytesOf("content") }
    await expect(uploads.append(record.id, piece, full)).rejects.toMatchObject({ code: "disk_full" })
    const finished: string[] = []
    const other = async ({ path }: { readonly path: string }) => void finished.push(path)
    for (const to of [
      { workspace: "other", fileset: "a", filesetId: "fileset-a" },
      { workspace: "default", fileset: "b", filesetId: "fileset-b" },
      // Another fileset has the name now.
      { workspace: "default", fileset: "a", filesetId: "fileset-b" },
    ]) {
      await expect(uploads.get(record.id, to, other)).rejects.toMatchObject({ code: "not_found" })
    }
    expect(finished).toEqual([])
    now += HOUR
    const expired = uploads.get(record.id, { workspace: "other", fileset: "a", filesetId: "fileset-a" }, other)
    await expect(expired).rejects.toMatchObject({ code: "not_found" })
    await expect(uploads.get(record.id, UPLOAD, other)).rejects.toMatchObject({ code: "upload_gone" })
  })
})

describe("the sweep of uploads in progress", () => {
  it("removes bytes and new records that a crash left without a record", verifies("tus.sweep"), async () => {
    const { record } = await uploads.create(UPLOAD, finish)
    await writeFile(join(folder, "upload-A.bytes"), "some bytes")
    await writeFile(join(folder, "upload-B.json.new"), "{")
    await writeFile(join(folder, "upload-C.bytes"), "")
    await writeFile(join(folder, "upload-C.json.new"), "{")
    await writeFile(join(folder, "notes.txt"), "not of an upload")
    await uploads.sweep()
    expect((await readdir(folder)).toSorted()).toEqual(["notes.txt", `${record.id}.bytes`, `${record.id}.json`])
  })

  it("keeps an upload whose new record a crash truncated, and removes that record", async () => {
    const { record } = await uploads.create(UPLOAD, finish)
    await writeFile(join(folder, `${record.id}.json.new`), '{"id":')
    await uploads.sweep()
    expect((await readdir(folder)).toSorted()).toEqual([`${record.id}.bytes`, `${record.id}.json`])
    expect((await uploads.get(record.id, UPLOAD, finish)).offset).toBe(0)
  })

  it("removes every file of an upload that has expired", verifies("tus.expiration"), async () => {
    const { record } = await uploads.create(UPLOAD, finish)
    await writeFile(join(folder, `${record.id}.json.new`), "{")
    now += HOUR
    await uploads.sweep()
    expect(await readdir(folder)).toEqual([])
  })

  it("does not touch an upload that is being created or received", async () => {
    const { record } = await uploads.create(UPLOAD, finish)
    const { promise: rest, resolve: goOn } = Promise.withResolvers<void>()
    async function* slowly() {
      yield Buffer.from("con")
      await uploads.sweep()
      await rest
      yield Buffer.from("tent")
    }
    const receiving = uploads.append(record.id, { offset: 0, bytes: slowly() }, finish)
    const creating = uploads.create(UPLOAD, finish)
    await uploads.sweep()
    goOn()
    expect((await receiving).offset).toBe(7)
    expect((await uploads.get((await creating).record.id, UPLOAD, finish)).offset).toBe(0)
  })
})

describe("a pipe instead of a file of an upload", () => {
  const putPipe = async (name: string) => {
    await rm(join(folder, name), { force: true })
    expect(spawnSync("mkfifo", [join(folder, name)]).status).toBe(0)
  }

  it("is refused instead of the record, without waiting for it", verifies("files.open.regular-only"), async () => {
    const { record } = await uploads.create(UPLOAD, finish)
    await putPipe(`${record.id}.json`)
    await expect(uploads.get(record.id, UPLOAD, finish)).rejects.toMatchObject({ code: "not_found" })
    await expect(uploads.append(record.id, { offset: 0, bytes: bytesOf("content") }, finish)).rejects.toMatchObject({
      code: "not_found",
    })
    await uploads.sweep()
  })

  it(
    "is refused instead of the bytes, for writes and reads, without waiting for it",
    verifies("files.open.regular-only"),
    async () => {
      const refused = { code: "local_file_failed", message: expect.stringContaining("is not a regular file") }
      const { record } = await uploads.create(UPLOAD, finish)
      await putPipe(`${record.id}.bytes`)
      const piece = { offset: 0, bytes: bytesOf("content") }
      await expect(uploads.append(record.id, piece, finish)).rejects.toMatchObject(refused)
      const { record: whole } = await uploads.create(UPLOAD, finish)
      const swapped = async (_: unknown, bytes: AsyncIterable<Uint8Array>) => {
        await putPipe(`${whole.id}.bytes`)
        await Array.fromAsync(bytes)
      }
      const last = { offset: 0, bytes: bytesOf("content") }
      await expect(uploads.append(whole.id, last, swapped)).rejects.toMatchObject(refused)
    },
  )
})

describe("an upload that has received its last byte", () => {
  it("accepts no further piece while it becomes a file, nor afterwards", async () => {
    const { record } = await uploads.create(UPLOAD, finish)
    const seen: string[] = []
    const { promise: finishing, resolve: begun } = Promise.withResolvers<void>()
    const { promise: rest, resolve: goOn } = Promise.withResolvers<void>()
    const slowFinish = async (_: unknown, bytes: AsyncIterable<Uint8Array>) => {
      begun()
      await rest
      seen.push(Buffer.concat(await Array.fromAsync(bytes)).toString())
    }
    const first = uploads.append(record.id, { offset: 0, bytes: bytesOf("content") }, slowFinish)
    await finishing
    for (const offset of [0, 7]) {
      const late = uploads.append(record.id, { offset, bytes: bytesOf("CONTENT") }, slowFinish)
      await expect(late).rejects.toMatchObject({ code: "upload_locked" })
    }
    goOn()
    expect((await first).record.completed).toBe(true)
    await uploads.append(record.id, { offset: 7, bytes: bytesOf("CONTENT") }, slowFinish)
    expect(seen).toEqual(["content"])
  })
})

const ON_SMALL_DISK = `exec unshare --map-root-user --mount sh -c 'mount -t tmpfs -o "$OPTIONS" none "$ROOT" && exec "$@"' sh "$@"`
/** Some containers do not permit mounts. */
const canMount =
  spawnSync("unshare", ["--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0

/** Creates an upload on a small file system, and prints the outcome and the remaining files. */
async function createOnSmallDisk(options: string, before: string): Promise<unknown> {
  const root = join(folder, "..", "disk")
  await mkdir(root)
  const script = `
    const { readdirSync, writeFileSync } = await import("node:fs")
    const { openUploadStore } = await import(${JSON.stringify(new URL("upload-store.ts", import.meta.url))})
    const folder = ${JSON.stringify(join(root, "uploads"))}
    const uploads = openUploadStore({ folder, lifetimeMs: 1e6, now: Date.now, newId: (prefix) => prefix + "-1" })
    ${before}
    const answer = await uploads.create(${JSON.stringify(UPLOAD)}, async () => {}).then(() => "created", (error) => error.code)
    console.log(JSON.stringify([answer, readdirSync(folder)]))`
  const node = [process.execPath, "--input-type=module", "--eval", script]
  const child = spawn("sh", ["-c", ON_SMALL_DISK, "sh", ...node], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ROOT: root, OPTIONS: options },
  })
  return JSON.parse(await text(child.stdout))
}

describe.runIf(canMount)("an upload without room for its record", () => {
  it("fails with disk_full and leaves nothing if no byte is free", verifies("tus.disk-full"), async () => {
    const fill = `try { writeFileSync(${JSON.stringify(join(folder, "..", "disk", "filler"))}, Buffer.alloc(2_000_000)) } catch {}`
    expect(await createOnSmallDisk("size=1m", fill)).toEqual(["disk_full", []])
  })

  it(
    "fails with disk_full and leaves nothing if no further file can be created",
    verifies("tus.disk-full"),
    async () => {
      expect(await createOnSmallDisk("size=1m,nr_inodes=3", "")).toEqual(["disk_full", []])
    },
  )

  it("is created when there is room", async () => {
    expect(await createOnSmallDisk("size=1m", "")).toEqual(["created", ["upload-1.bytes", "upload-1.json"]])
  })
})
