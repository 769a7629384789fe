import { createHash, randomBytes } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit/verifies"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { loadSettings } from "../../../../apps/server/src/settings/load-settings.ts"
import { FILES, startTestServer } from "../../../../apps/server/src/testing/start-test-server.ts"
import { readTar } from "./tar/tar-reader.ts"
import { createTarWriter } from "./tar/tar-writer.ts"
import { openFileOutput } from "./backup-output.ts"
import { restoreBackup } from "./restore-backup.ts"
import { writeBackup } from "./write-backup.ts"

const FILE = `${FILES}/default/filesets/rows/-/a.txt`
const signal = new AbortController().signal

let home: string
let archive: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "assay-versions-"))
  archive = join(home, "a.tar")
  {
    await using server = await startTestServer({}, home)
    await server.call("POST", `${FILES}/default/filesets`, { json: { name: "rows" } })
    await server.call("PUT", FILE, { body: "alpha" })
  }
  const { settings } = loadSettings({ env: { ASSAY_DATA_DIR: join(home, "data") }, cwd: home })
  const context = { settings, cwd: home, now: Date.now, randomBytes }
  await writeBackup(context, { output: openFileOutput(archive), withKeys: true, signal })
})
afterEach(() => rm(home, { recursive: true, force: true }))

const restore = (dataFolder: string, force = false) =>
  restoreBackup(createReadStream(archive), { dataFolder, force, now: Date.now, signal })

/** Packs the archive again with another database, and right sums. */
async function changeDatabase(statements: string): Promise<void> {
  const entries = new Map<string, Buffer>()
  for await (const { path, bytes } of readTar(createReadStream(archive))) {
    entries.set(path, Buffer.concat(await Array.fromAsync(bytes, (piece) => Buffer.from(piece))))
  }
  const file = join(home, "changed.db")
  await writeFile(file, entries.get("registry.db") ?? "")
  const database = new DatabaseSync(file)
  database.exec(statements)
  database.close()
  entries.set("registry.db", await readFile(file))
  const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex")
  const sums = String(entries.get("SHA256SUMS")).replace(
    /^\w+(?= {2}registry\.db$)/m,
    sha256(entries.get("registry.db") ?? Buffer.alloc(0)),
  )
  entries.set("SHA256SUMS", Buffer.from(sums))
  const manifest = JSON.parse(String(entries.get("manifest.json")))
  entries.set("manifest.json", Buffer.from(JSON.stringify({ ...manifest, sums_sha256: sha256(Buffer.from(sums)) })))
  const parts: Uint8Array[] = []
  const tar = createTarWriter(async (bytes) => void parts.push(Buffer.from(bytes)))
  for (const [path, bytes] of entries) await tar.add({ path, size: bytes.length, mtimeNs: 0n, mode: 0o600 }, [bytes])
  await tar.end()
  await writeFile(archive, Buffer.concat(parts))
}

describe("a backup of another version", () => {
  it("is restored by a later one, which brings the records to its schema", verifies("operating.restore"), async () => {
    await changeDatabase(`delete from kysely_migration where name like '0011%';
      alter table evaluation_jobs drop column results_fileset`)
    const { damage } = await restore(join(home, "restored/data"))
    expect(damage).toEqual([])
    await using server = await startTestServer({}, join(home, "restored"))
    expect((await server.call("GET", FILE)).text).toBe("alpha")
    const { data } = (await server.call("GET", `${FILES}/default/filesets/rows/files`)).json
    expect(data[0].sha256).toBe(createHash("sha256").update("alpha").digest("hex"))
  })

  it("that is later is refused with the reason, and nothing is restored", verifies("operating.restore"), async () => {
    await changeDatabase(`insert into kysely_migration values ('9999-of-tomorrow', '2030-01-01')`)
    await expect(restore(join(home, "restored"))).rejects.toMatchObject({
      code: "bad_backup",
      message: expect.stringMatching(/schema is the one of a later version of Assay/),
    })
    expect((await readdir(join(home, "restored"))).filter((name) => !name.includes("lock"))).toEqual([])
  })
})

describe("a restore that was killed", () => {
  it(
    "while it moved files to their places is begun again, and no server starts before",
    verifies("operating.restore"),
    async () => {
      await restore(join(home, "restored/data"))
      // As it was before the last step: the database has its place last.
      const data = join(home, "restored/data")
      await mkdir(join(data, ".restoring"))
      await rename(join(data, "registry.db"), join(data, ".restoring/registry.db"))
      await expect(startTestServer({}, join(home, "restored"))).rejects.toMatchObject({ code: "bad_settings" })
      await expect(restore(data)).rejects.toMatchObject({
        code: "bad_usage",
        message: expect.stringContaining("--force"),
      })
      const { before, damage } = await restore(data, true)
      expect([damage, await readdir(before ?? "")]).toEqual([[], expect.arrayContaining(["storage"])])
      await using server = await startTestServer({}, join(home, "restored"))
      expect((await server.call("GET", FILE)).text).toBe("alpha")
    },
  )
})
