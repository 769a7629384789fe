import { spawn, spawnSync } from "node:child_process"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { verifies, bytesOf, partedBody, textOf, waitingBody } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { sql } from "kysely"
import { describe, expect, inject, it, onTestFinished } from "vitest"
import { startTestBucket } from "@assay/filesets/testing"
import { createTestRegistry } from "./testing/test-registry.ts"

const TARGET = { workspace: "default", fileset: "a", filesetId: "fileset-a" }
const UPLOAD = { ...TARGET, path: parseFilePath("file"), length: 6, sha256: null }

const LIFETIME = 3_600_000
/** Lets the database refuse to note that an upload is complete. */
const REFUSE_NOTE =
  "create trigger refuse before update on uploads when new.completed = 1 begin select raise(abort, 'disk I/O error'); end"

const piece = (offset: number, content: string) => ({ offset, bytes: bytesOf(content) })

/** Receives finished files. */
function createFiles() {
  const texts: string[] = []
  return { texts, finish: async (_: unknown, bytes: AsyncIterable<Uint8Array>) => void texts.push(await textOf(bytes)) }
}

describe("an upload to the only server of a database", () => {
  it("continues at once after a crash of the server", verifies("tus.lost-server"), async () => {
    const test = await createTestRegistry("sqlite")
    onTestFinished(() => test.remove())
    const { texts, finish } = createFiles()
    const { uploads } = test.registry.openUploads({ lifetimeMs: LIFETIME })
    const { record } = await uploads.create(UPLOAD, finish)
    await uploads.append(record.id, piece(0, "abc"), finish)
    const body = waitingBody("d")
    const sending = uploads.append(record.id, { offset: 3, bytes: body.bytes }, finish)
    await body.begun
    const { uploads: restarted } = (await test.openAnother()).openUploads({ lifetimeMs: LIFETIME })
    await restarted.append(record.id, piece(3, "def"), finish)
    expect(texts).toEqual(["abcdef"])
    body.send("e")
    await expect(sending).rejects.toMatchObject({ code: "upload_locked" })
  })

  it(
    "keeps what a slow request sent after 5 s, and no later byte after a crash",
    verifies("tus.lost-server", "tus.one-request"),
    async () => {
      const test = await createTestRegistry("sqlite")
      onTestFinished(() => test.remove())
      const { texts, finish } = createFiles()
      const { uploads } = test.registry.openUploads({ lifetimeMs: LIFETIME })
      const { record } = await uploads.create(UPLOAD, finish)
      const body = partedBody()
      const sending = uploads.append(record.id, { offset: 0, bytes: body.bytes }, finish)
      sending.catch(() => {})
      await body.send("ab")
      const begun = async () => (await readdir(join(test.folder, "uploads")).catch(() => [])).length
      await expect.poll(begun).toBe(1)
      await test.pass(4900)
      await body.send("c")
      expect((await uploads.get(record.id, TARGET, finish)).offset).toBe(0)
      await test.pass(100)
      await body.send("d")
      await expect.poll(async () => (await uploads.get(record.id, TARGET, finish)).offset).toBe(4)
      await body.send("X")
      await body.send("Y")
      const { uploads: restarted } = (await test.openAnother()).openUploads({ lifetimeMs: LIFETIME })
      await restarted.append(record.id, piece(4, "ef"), finish)
      expect(texts).toEqual(["abcdef"])
    },
  )

  it("is beside the database, also if the default storage is an object store", async () => {
    const { store, defaultStorage, followClock } = await startTestBucket()
    const test = await createTestRegistry("sqlite", { defaultStorage })
    followClock(() => test.clock.time)
    onTestFinished(async () => {
      await test.remove()
      await store.close()
    })
    const { texts, finish } = createFiles()
    const { uploads } = test.registry.openUploads({ lifetimeMs: LIFETIME })
    const { record } = await uploads.create(UPLOAD, finish)
    await uploads.append(record.id, piece(0, "abc"), finish)
    const keys = [...store.objects()].filter((key) => key.includes("upload"))
    expect([keys, (await readdir(join(test.folder, "uploads"))).length]).toEqual([[], 1])
    await uploads.append(record.id, piece(3, "def"), finish)
    expect(texts).toEqual(["abcdef"])
  })

  it(
    "has its file, and does not write it again, if the disk takes no note of it",
    verifies("files.upload.error-no-effect"),
    async () => {
      const test = await createTestRegistry("sqlite")
      onTestFinished(() => test.remove())
      const { texts, finish } = createFiles()
      const { uploads } = test.registry.openUploads({ lifetimeMs: LIFETIME })
      const { record } = await uploads.create(UPLOAD, finish)
      const tables = await test.openTables()
      await tables.write((queries) => sql.raw(REFUSE_NOTE).execute(queries))
      const end = await uploads.append(record.id, piece(0, "abcdef"), finish)
      expect([end.offset, end.record.completed]).toEqual([6, true])
      await expect(uploads.get(record.id, TARGET, finish)).rejects.toMatchObject({ code: "upload_gone" })
      expect(texts).toEqual(["abcdef"])
    },
  )

  it(
    "in parts has its file, and does not write it again, if the disk takes no note of it",
    verifies("files.upload.error-no-effect"),
    async () => {
      const test = await createTestRegistry("sqlite")
      onTestFinished(() => test.remove())
      const { multipart } = test.registry.openUploads({ lifetimeMs: LIFETIME })
      const { id } = await multipart.start(TARGET, parseFilePath("file"))
      const part = await multipart.putPart(id, TARGET, { number: 1, bytes: bytesOf("abc"), maxBytes: undefined })
      const tables = await test.openTables()
      await tables.write((queries) => sql.raw(REFUSE_NOTE).execute(queries))
      const texts: string[] = []
      const finish = async (_: unknown, bytes: AsyncIterable<Uint8Array>) => void texts.push(await textOf(bytes))
      const complete = () => multipart.complete(id, { to: TARGET, parts: [part], finish })
      expect(await complete()).toMatchObject({ id, path: "file" })
      await expect(complete()).rejects.toMatchObject({ name: "AssayError" })
      expect(texts).toEqual(["abc"])
    },
  )

  it(
    "is swept with the LFS objects of an older version and the temporary files of a crash",
    verifies("tus.sweep"),
    async () => {
      const test = await createTestRegistry("sqlite")
      onTestFinished(() => test.remove())
      for (const folder of ["objects", "uploads"]) await mkdir(join(test.folder, folder))
      await writeFile(join(test.folder, "objects", `fileset-1.${"0".repeat(64)}`), "content")
      await test.registry.openUploads({ lifetimeMs: LIFETIME }).sweep()
      expect(await readdir(test.folder)).not.toContain("objects")
      await writeFile(join(test.folder, "uploads", ".assay-tmp-1"), "")
      await test.pass(10 * 365 * 86_400_000)
      await test.openAnother()
      await expect.poll(() => readdir(join(test.folder, "uploads"))).toEqual([])
    },
  )
})

const ON_SMALL_DISK = `exec unshare --map-root-user --mount sh -c 'mount -t tmpfs -o size=8m none "$ROOT" && exec "$@"' sh "$@"`
/** Some containers do not permit mounts. */
const canMount =
  spawnSync("unshare", ["--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0

/** Fills a small file system while an upload runs, and prints the outcomes. */
const PROGRAM = (root: string) => `
  import { randomBytes, randomUUID } from "node:crypto"
  import { closeSync, copyFileSync, openSync, readdirSync, rmSync, writeSync } from "node:fs"
  import { openRegistry } from ${JSON.stringify(new URL("./open-registry.ts", import.meta.url))}
  const root = ${JSON.stringify(root)}
  copyFileSync(${JSON.stringify(inject("sqliteTemplate"))}, root + "/registry.db")
  const registry = await openRegistry({
    database: { kind: "sqlite", file: root + "/registry.db" },
    defaultStorage: { type: "local", path: root + "/storage" },
    allowedLocalRoots: [], encryptionKeys: [{ name: "key", key: new Uint8Array(32) }],
    now: Date.now, newId: (prefix) => prefix + "-" + randomUUID(), randomBytes, random: Math.random,
    transport: () => Promise.reject(new Error()), sleep: async () => {},
  })
  const { uploads } = registry.openUploads({ lifetimeMs: 1e6 })
  const target = ${JSON.stringify(UPLOAD)}
  const finish = async (_, bytes) => { for await (const _ of bytes); }
  async function* bytes(text) { yield Buffer.from(text) }
  const codeOf = (work) => work.then(({ offset }) => offset, (error) => error.code)
  const { record } = await uploads.create(target, finish)
  const answers = [await codeOf(uploads.append(record.id, { offset: 0, bytes: bytes("abc") }, finish))]
  const filler = openSync(root + "/filler", "w")
  for (let size = 1 << 20; size >= 1; size >>= 1) try { for (;;) if (writeSync(filler, Buffer.alloc(size)) < size) break } catch {}
  for (let n = 0; n < 3; n++) answers.push(await codeOf(uploads.append(record.id, { offset: 3, bytes: bytes("def") }, finish)))
  for (let n = 0; n < 3; n++) answers.push(await codeOf(uploads.create(target, finish)))
  answers.push(await codeOf(uploads.get(record.id, target, finish)))
  const files = readdirSync(root + "/uploads").length
  closeSync(filler)
  rmSync(root + "/filler")
  const rest = await codeOf(uploads.append(record.id, { offset: 3, bytes: bytes("def") }, finish))
  console.log(JSON.stringify({ answers, files, rest }))
  process.exit()`

describe.runIf(canMount)("an upload without room", () => {
  it("keeps the pieces that arrived, and leaves nothing of a new upload", verifies("tus.disk-full"), async () => {
    const test = await createTestRegistry("sqlite")
    onTestFinished(() => test.remove())
    const root = join(test.folder, "disk")
    await mkdir(root)
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    const node = [process.execPath, "--input-type=module", "--eval", PROGRAM(root)]
    const child = spawn("sh", ["-c", ON_SMALL_DISK, "sh", ...node], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ROOT: root },
    })
    const printed: unknown = JSON.parse(await text(child.stdout))
    const full = "disk_full"
    expect(printed).toEqual({ answers: [3, full, full, full, full, full, full, 3], files: 1, rest: 6 })
  })
})
