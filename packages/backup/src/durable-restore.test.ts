import { createHash } from "node:crypto"
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { platform } from "node:process"
import { verifies, watchSyncs } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { restoreBackup } from "./restore-backup.ts"
import { createTarWriter } from "./tar-writer.ts"

const HEADER = { format: "assay-backup", format_version: 1, created_at: "2026-11-20T00:00:00Z", version: "1.0.0" }
const FILES = ["storage/filesets/default/rows/a/b.txt", "storage/filesets/default/rows/c.txt", "tokens.json"]

/** Returns a backup without records. */
async function* archiveOf(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = []
  const tar = createTarWriter(async (bytes) => void parts.push(bytes))
  const add = (path: string, text: string) =>
    tar.add({ path, size: Buffer.byteLength(text), mtimeNs: 0n, mode: 0o600 }, [Buffer.from(text)])
  const digestOf = (text: string) => createHash("sha256").update(text).digest("hex")
  const sums = paths.map((path) => `${digestOf(path)}  ${path}\n`).join("")
  const counts = { secrets: 0, filesets: 1, files: paths.length, bytes: paths.join("").length }
  const facts = { database: false, keys: false, tokens: true, not_included: [], sums_sha256: digestOf(sums) }
  await add("assay-backup.json", JSON.stringify(HEADER))
  for (const path of paths) await add(path, path)
  await add("SHA256SUMS", sums)
  await add("manifest.json", JSON.stringify({ ...HEADER, ...counts, ...facts }))
  await tar.end()
  yield Buffer.concat(parts)
}

// The paths of descriptors are read from /proc.
it.runIf(platform === "linux")(
  "a restore syncs each file and folder before it moves them, and the data folder around each step",
  verifies("operating.restore"),
  async () => {
    const home = await mkdtemp(join(tmpdir(), "assay-durable-"))
    onTestFinished(() => rm(home, { recursive: true }))
    const dataFolder = join(home, "data")
    await mkdir(dataFolder)
    await writeFile(join(dataFolder, "registry.db"), "former")
    const syncs = await watchSyncs()
    const { signal } = new AbortController()
    const report = await restoreBackup(archiveOf(FILES), { dataFolder, force: true, now: Date.now, signal })
    expect(report.filesets).toEqual({ files: 2, bytes: FILES.slice(0, 2).join("").length })
    const restored = await readdir(join(dataFolder, "storage"), { recursive: true })
    const aside = join(dataFolder, ".restoring")
    const synced = syncs.paths()
    const moved = synced.indexOf(dataFolder)
    expect(synced.slice(0, moved).toSorted()).toEqual(
      ["", "tokens.json", "storage", ...restored.map((path) => join("storage", path))]
        .map((path) => join(aside, path).replace(/\/$/, ""))
        .toSorted(),
    )
    expect(synced.slice(moved)).toEqual([dataFolder, report.before, dataFolder, dataFolder])
  },
)
