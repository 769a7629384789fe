import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { platform } from "node:process"
import { failCalls, verifies, watchSyncs } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { sql } from "kysely"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { openDatabase } from "./database/open-database.ts"
import { sweepCalls } from "./testing/sweep-calls.ts"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"
import { bytesOf } from "./testing/bytes.ts"
import { openUploadStore } from "./uploads/upload-store.ts"

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
  let made = 0
  it(
    "are not unknown while the process has too many files open",
    verifies("files.upload.error-no-effect"),
    async () => {
      const uploads = openUploadStore({
        folder: join(await newFolder(), "uploads"),
        lifetimeMs: 3_600_000,
        now: () => 0,
        newId: (prefix) => `${prefix}-${"1".repeat((made += 1))}`,
      })
      const target = { workspace: "default", fileset: "a", filesetId: "fileset-a" }
      const finish = async (_: unknown, bytes: AsyncIterable<Uint8Array>) => void (await Array.fromAsync(bytes))
      const { record } = await uploads.create(
        { ...target, path: parseFilePath("file"), length: 7, sha256: null },
        finish,
      )
      const failures = failCalls("open", "EMFILE")
      for (let first = 1; first <= 3; first++) {
        failures.fail(first)
        const appended: unknown = await uploads
          .append(record.id, { offset: 0, bytes: bytesOf("") }, finish)
          .catch((error: unknown) => error)
        failures.fail(0, 0)
        if (first === 1) expect(appended).toMatchObject({ code: "unavailable" })
        if (appended instanceof Error) expect(appended).toMatchObject({ code: "unavailable" })
      }
      expect(await uploads.get(record.id, target, finish)).toMatchObject({ offset: 0 })
    },
  )
})
