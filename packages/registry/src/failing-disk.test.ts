import { createHash } from "node:crypto"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { platform } from "node:process"
import { failCalls, verifies, watchSyncs, sweepCalls, bytesOf, textOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { sql } from "kysely"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { openDatabase } from "@assay/database"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"
import type { Uploads } from "@assay/uploads"

const onLinux = platform === "linux"
const SKIPPED = onLinux ? "" : ": skipped, because the paths of descriptors are read from /proc"

/** Returns the state, or the error, so that a state that can't be read is one that differs. */
const stateOf = (reading: Promise<unknown>) => reading.catch((error: unknown) => String(error))

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "failing-disk-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const refusesWithoutEffect = (error: unknown, before: unknown, after: unknown) => {
  expect(error).toMatchObject({
    name: "AssayError",
    code: expect.stringMatching(/^(?:disk_full|unavailable|upstream_failed)$/),
  })
  expect(after).toEqual(before)
}

describe("a registry whose disk fails", () => {
  let test: TestRegistry
  let made = 0
  beforeEach(async () => {
    test = await createTestRegistry("sqlite")
  })
  afterEach(() => test.remove())

  /** Creates a fileset with a file, and returns how it is read. */
  async function makeFileset(workspace: string, name: string) {
    const { filesets, files } = test.registry
    await filesets.create(workspace, { name })
    await files.write(workspace, name, parseFilePath("a/b"), bytesOf("old"))
    return async () => [
      await stateOf(filesets.get(workspace, name)),
      await stateOf(files.list(workspace, name, {})),
      await stateOf(files.read(workspace, name, parseFilePath("a/b")).then(({ bytes }) => Array.fromAsync(bytes))),
    ]
  }

  it(
    "keeps a fileset and its files if their removal returns an error, whichever file or folder can't be opened",
    verifies("files.upload.error-no-effect"),
    async () => {
      const errors = await sweepCalls({
        call: "open",
        code: "EMFILE",
        check: refusesWithoutEffect,
        prepare: async () => {
          const name = `set-${(made += 1)}`
          const read = await makeFileset("default", name)
          return { read, run: () => test.registry.filesets.remove("default", name) }
        },
      })
      expect(errors).toBeGreaterThan(0)
    },
  )

  it(
    "keeps the changes in the history of a fileset if a file can't be replaced, whichever call fails",
    verifies("files.upload.error-no-effect"),
    async () => {
      const kept = await createTestRegistry("sqlite", { now: () => Date.now(), history: { days: 30, maxBytes: 1000 } })
      onTestFinished(() => kept.remove())
      const { filesets, files, history } = kept.registry
      const changes = async (name: string) =>
        (await history.list("default", name, { limit: 10 })).changes.map((change) => ({ ...change, endedAt: 0 }))
      for (const [call, code] of [["linkSync", "EIO"], ...CALLS] as const) {
        const prepare = async () => {
          const name = `changed-${(made += 1)}`
          await filesets.create("default", { name })
          await files.write("default", name, parseFilePath("a/b"), bytesOf("old"))
          const run = () => files.write("default", name, parseFilePath("a/b"), bytesOf("new"))
          return { run, read: () => changes(name) }
        }
        expect(await sweepCalls({ call, code, prepare, check: refusesWithoutEffect }), call).toBeGreaterThan(0)
      }
    },
  )

  it("keeps the changes in the history of a fileset if a full disk refuses to delete a file", async () => {
    const kept = await createTestRegistry("sqlite", { now: () => Date.now(), history: { days: 30, maxBytes: 1000 } })
    onTestFinished(() => kept.remove())
    const { filesets, files, history } = kept.registry
    await filesets.create("default", { name: "set" })
    const path = parseFilePath("a")
    await files.write("default", "set", path, bytesOf("old"))
    // The file gets no other name, neither in the history nor beside it.
    failCalls("renameSync", "ENOSPC").fail(1, 2)
    await expect(files.remove("default", "set", path)).rejects.toMatchObject({ code: "disk_full" })
    const { versions } = await history.list("default", "set", { limit: 10, path })
    const { changes } = await history.list("default", "set", { limit: 10 })
    expect([versions, changes]).toEqual([[], [expect.objectContaining({ added: 1, deleted: 0 })]])
  })

  it("corrects the history when the disk can store it, if it could not when a write failed", async () => {
    const kept = await createTestRegistry("sqlite", { now: () => Date.now(), history: { days: 30, maxBytes: 1000 } })
    onTestFinished(() => kept.remove())
    const { filesets, files, history } = kept.registry
    await filesets.create("default", { name: "set" })
    const write = (text: string) => files.write("default", "set", parseFilePath("a"), bytesOf(text))
    const versions = async () =>
      (await history.list("default", "set", { limit: 10, path: parseFilePath("a") })).versions.length
    await write("old")
    const tables = await kept.openTables()
    const run = (text: string) => tables.write((queries) => sql.raw(text).execute(queries))
    await run("create trigger refuse before delete on kept_files begin select raise(abort, 'disk I/O error'); end")
    failCalls("linkSync", "EIO").fail(1)
    await expect(write("new")).rejects.toMatchObject({ code: "upstream_failed" })
    expect(await versions()).toBe(1)
    await run("drop trigger refuse")
    expect(await versions()).toBe(0)
  })

  it(
    "keeps a workspace and all its filesets if the files of one of them can't be moved",
    verifies("files.upload.error-no-effect"),
    async () => {
      const { workspaces } = test.registry
      const errors = await sweepCalls({
        call: "rename",
        code: "EIO",
        check: refusesWithoutEffect,
        prepare: async () => {
          const name = `life-${(made += 1)}`
          await workspaces.create({ name })
          const reads = [await makeFileset(name, "one"), await makeFileset(name, "two")]
          return {
            read: async () => [
              await stateOf(workspaces.get(name)),
              ...(await Promise.all(reads.map((read) => read()))),
            ],
            run: () => workspaces.remove(name, { cascade: true }),
          }
        },
      })
      expect(errors).toBeGreaterThan(1)
    },
  )

  it(
    "keeps the filesets of a workspace if the database can't remove the workspace itself",
    verifies("files.upload.error-no-effect"),
    async () => {
      const { workspaces } = test.registry
      await workspaces.create({ name: "held" })
      const reads = [await makeFileset("held", "one"), await makeFileset("held", "two")]
      const read = () => Promise.all(reads.map((one) => one()))
      const before = await read()
      const tables = await test.openTables()
      const refuse =
        "create trigger refuse before delete on workspaces begin select raise(abort, 'disk I/O error'); end"
      await tables.write((queries) => sql.raw(refuse).execute(queries))
      await expect(workspaces.remove("held", { cascade: true })).rejects.toThrow()
      expect(await read()).toEqual(before)
    },
  )

  it.runIf(onLinux)(
    `answers a write only when the disk has the log with its digest${SKIPPED}`,
    verifies("files.upload.durable"),
    async () => {
      await makeFileset("default", "set")
      const syncs = await watchSyncs()
      await test.registry.files.write("default", "set", parseFilePath("a/b"), bytesOf("new"))
      expect(syncs.paths()).toContainEqual(expect.stringMatching(/-wal$/))
    },
  )
})

describe("a database on a disk that fails", () => {
  it.runIf(onLinux)(
    `syncs the folder of its log whenever it is opened, because a clean end removes the log${SKIPPED}`,
    async () => {
      const folder = await newFolder()
      const open = () => openDatabase({ kind: "sqlite", file: join(folder, "registry.db") }, () => {})
      await (await open()).close()
      const syncs = await watchSyncs()
      await (await open()).close()
      expect(syncs.paths()).toContain(folder)
    },
  )
})

describe("uploads in progress on a disk that fails", () => {
  let test: TestRegistry
  let uploads: Uploads
  beforeAll(async () => {
    test = await createTestRegistry("sqlite")
    uploads = test.registry.openUploads({ lifetimeMs: 3_600_000 })
  })
  afterAll(() => test.remove())

  const pieces = async () => (await readdir(join(test.folder, "uploads")).catch(() => [])).length
  const target = { workspace: "default", fileset: "a", filesetId: "fileset-a" }
  const finish = async (_: unknown, bytes: AsyncIterable<Uint8Array>) => void (await Array.fromAsync(bytes))
  let made = 0

  it(
    "keep their offset if a piece returns an error, whichever call fails",
    verifies("files.upload.error-no-effect"),
    async () => {
      const prepare = async () => {
        const { record } = await uploads.uploads.create(
          { ...target, path: parseFilePath("file"), length: 7, sha256: null },
          finish,
        )
        const piece = { offset: 0, bytes: bytesOf("con") }
        return {
          run: () => uploads.uploads.append(record.id, piece, finish),
          read: async () => [await uploads.uploads.get(record.id, target, finish), await pieces()],
        }
      }
      // A piece has its name from the beginning.
      for (const [call, code] of CALLS.filter(([call]) => call !== "renameSync"))
        expect(await sweepCalls({ call, code, prepare, check: refusesWithoutEffect }), call).toBeGreaterThan(0)
    },
  )

  const text = "content"
  const sha256 = createHash("sha256").update(text).digest("hex")
  const startObject = async () => {
    const object = { fileset: `fileset-${(made += 1)}`, sha256 }
    return { ...object, size: 7, key: await uploads.pendingObjects.start(object, 7) }
  }
  type Upload = Awaited<ReturnType<typeof startObject>>
  const inParts = async (upload: Upload) => {
    await uploads.pendingObjects.putPart(upload, { start: 0, end: 6 }, bytesOf(text))
    await uploads.pendingObjects.complete(upload)
  }
  const WAYS = [
    ["as a whole", (upload: Upload) => uploads.pendingObjects.put(upload, bytesOf(text))],
    ["in parts", inParts],
  ] as const

  it.each(WAYS)(
    "have no LFS object that returned an error, and take it again %s",
    verifies("files.upload.error-no-effect"),
    async (_, send) => {
      const prepare = async () => {
        const upload = await startObject()
        const run = () => send(upload)
        return { run, read: async () => [await uploads.pendingObjects.size(upload), await pieces()] }
      }
      for (const [call, code] of CALLS)
        expect(await sweepCalls({ call, code, prepare, check: refusesWithoutEffect }), call).toBeGreaterThan(0)
      const upload = await startObject()
      const renames = failCalls("renameSync", "EIO")
      renames.fail(1)
      await expect(send(upload)).rejects.toMatchObject({ code: "upstream_failed" })
      await send(upload)
      expect(await textOf(uploads.pendingObjects.read(upload, { start: 0, end: 6 }))).toBe(text)
    },
  )

  it.runIf(onLinux)(
    `have each piece on the disk, with its name, before its record${SKIPPED}`,
    verifies("files.upload.durable"),
    async () => {
      const { record } = await uploads.uploads.create(
        { ...target, path: parseFilePath("file"), length: 7, sha256: null },
        finish,
      )
      const upload = await startObject()
      const syncs = await watchSyncs()
      await uploads.uploads.append(record.id, { offset: 0, bytes: bytesOf("con") }, finish)
      const ofUpload = [...syncs.paths()]
      await uploads.pendingObjects.put(upload, bytesOf(text))
      const folder = join(test.folder, "uploads")
      const names = [folder, expect.stringMatching(/-wal$/)]
      expect(ofUpload).toEqual([expect.stringContaining(`${folder}/${record.id}.piece-`), ...names])
      // Its one write waits for the disk itself.
      expect(syncs.paths().slice(ofUpload.length)).toEqual(names)
    },
  )
})

/** Calls of a write, each of which can fail. */
const CALLS = [
  ["openSync", "EMFILE"],
  ["renameSync", "EIO"],
  ["fsync", "EIO"],
] as const
