import { randomBytes, randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openRegistry, type Registry } from "@assay/registry"
import { bytesOf, textOf, verifies } from "@assay/testkit"
import { createTransport, HISTORY_FOLDER, parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, expect, it } from "vitest"
import { openFileOutput } from "./backup-output.ts"
import { restoreBackup } from "./restore-backup.ts"
import { writeBackup } from "./write-backup.ts"

const { signal } = new AbortController()
const PATH = parseFilePath("a.txt")

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "assay-history-"))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const databaseIn = (dataFolder: string) => ({ kind: "sqlite", file: join(dataFolder, "registry.db") }) as const

async function withRegistry(dataFolder: string, work: (registry: Registry) => Promise<void>): Promise<void> {
  const registry = await openRegistry({
    database: databaseIn(dataFolder),
    defaultStorage: { type: "local", path: join(dataFolder, "storage") },
    allowedLocalRoots: [],
    encryptionKeys: [{ name: "first", key: new Uint8Array(32).fill(1) }],
    now: Date.now,
    newId: (prefix) => `${prefix}-${randomUUID()}`,
    randomBytes,
    transport: createTransport(),
    random: Math.random,
    sleep: async () => {},
    history: { days: 30, maxBytes: 1000 },
  })
  try {
    await work(registry)
  } finally {
    await registry.close()
  }
}

it("A backup leaves former versions out, and a restored server says so", verifies("files.history-check"), async () => {
  const [dataFolder, restored, archive] = [join(home, "data"), join(home, "restored"), join(home, "a.tar")]
  await mkdir(dataFolder)
  await withRegistry(dataFolder, async ({ filesets, files }) => {
    await filesets.create("default", { name: "rows" })
    await files.write("default", "rows", PATH, bytesOf("one"))
    await files.write("default", "rows", PATH, bytesOf("two"))
  })
  const source = {
    dataFolder,
    database: databaseIn(dataFolder),
    storageFolder: join(dataFolder, "storage"),
    tokensFile: join(dataFolder, "tokens.json"),
    encryptionKeys: () => undefined,
    version: "1.0.0",
    now: Date.now,
  }
  await writeBackup(source, { output: openFileOutput(archive), withKeys: false, signal })
  await restoreBackup(createReadStream(archive), { dataFolder: restored, force: false, now: Date.now, signal })
  expect((await readdir(restored, { recursive: true })).filter((name) => name.includes(HISTORY_FOLDER))).toEqual([])
  await withRegistry(restored, async ({ files, history, integrity }) => {
    expect(await textOf((await files.read("default", "rows", PATH)).bytes)).toBe("two")
    const { versions, kept } = await history.list("default", "rows", { limit: 10, path: PATH })
    expect(kept).toEqual({ files: 0, bytes: 0 })
    expect(versions).toMatchObject([{ size: 3, gone: expect.stringContaining("a backup holds no history") }])
    const damage: unknown[] = []
    expect(await integrity.checkFiles({ onDamage: (found) => damage.push(found), signal })).toMatchObject({ kept: 0 })
    expect(damage).toEqual([])
  })
  await withRegistry(dataFolder, async ({ files, integrity, history }) => {
    await files.write("default", "rows", PATH, bytesOf("three"))
    expect((await history.list("default", "rows", { limit: 1 })).kept.files).toBe(2)
    const place = join(dataFolder, "storage/filesets/default/rows", HISTORY_FOLDER)
    const [first = "", second = ""] = await readdir(place)
    await rm(join(place, first))
    await writeFile(join(place, second), "TWO")
    const damage: { kind: string; place: string }[] = []
    const checked = await integrity.checkFiles({ onDamage: (found) => damage.push(found), signal })
    expect(checked.kept).toBe(2)
    expect(new Set(damage.map(({ kind, place: at }) => `${kind} ${at}`))).toEqual(
      new Set(["damaged default/rows#a.txt", "missing default/rows#a.txt"]),
    )
  })
})
