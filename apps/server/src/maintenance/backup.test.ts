import { createHash, randomBytes } from "node:crypto"
import { createReadStream, existsSync } from "node:fs"
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openFileOutput, restoreBackup, type BackupReport, type RestoreReport } from "@assay/backup"
import { verifies } from "@assay/testkit"
import { pino } from "pino"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openSettingsRegistry } from "../open-settings-registry.ts"
import { loadSettings } from "../settings/load-settings.ts"
import { FILES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"
import { writeBackup } from "./write-backup.ts"

const BASE = `${FILES}/default/filesets`
const signal = new AbortController().signal

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "assay-backup-"))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const settingsOf = (env: Readonly<Record<string, string>> = {}) =>
  loadSettings({ env: { ASSAY_DATA_DIR: join(home, "data"), ...env }, cwd: home }).settings

function backUp(file: string, withKeys = false, env = {}): Promise<BackupReport> {
  const context = { settings: settingsOf(env), cwd: home, now: Date.now, randomBytes }
  return writeBackup(context, { output: openFileOutput(file), withKeys, signal })
}

function restore(file: string, dataFolder: string, force = false): Promise<RestoreReport> {
  return restoreBackup(createReadStream(file), { dataFolder, force, now: Date.now, signal })
}

async function put(server: TestServer, path: string, body: Uint8Array): Promise<string> {
  const { status } = await server.call("PUT", `${BASE}/rows/-/${path}`, { body })
  expect([200, 201]).toContain(status)
  return createHash("sha256").update(body).digest("hex")
}

/** Returns the damage that a deep check finds in a data folder. */
async function damageOf(dataFolder: string): Promise<readonly string[]> {
  const settings = settingsOf({ ASSAY_DATA_DIR: dataFolder })
  const context = { settings, cwd: home, now: Date.now, randomBytes, logger: pino({ level: "silent" }) }
  const registry = await openSettingsRegistry(context, dataFolder, { guest: true })
  try {
    const damage: string[] = [...(await registry.integrity.checkDatabase())]
    await registry.integrity.checkFiles({ onDamage: ({ kind, place }) => damage.push(`${kind} ${place}`), signal })
    return damage
  } finally {
    await registry.close()
  }
}

const digestOf = async (file: string) =>
  createHash("sha256")
    .update(await readFile(file))
    .digest("hex")

describe("a backup of a running server", () => {
  it.each([
    ["links", "all.tar.zst"],
    ["no links", "all.tar.gz"],
  ])(
    "contains every file that was acknowledged before it began, complete, with %s on the file system",
    verifies("operating.backup.online", "operating.restore"),
    async (how, name) => {
      const acknowledged = new Map<string, string>()
      {
        await using server = await startTestServer({}, home)
        await server.call("POST", BASE, { json: { name: "rows" } })
        await server.call("POST", `${SECRETS}/default/secrets`, { json: { name: "token", value: "v4lue" } })
        for (let n = 0; n < 40; n++) {
          acknowledged.set(`kept/${n}`, await put(server, `kept/${n}`, randomBytes(1000 + n * 5000)))
        }
        // This file prevents the folder for links.
        if (how === "no links") await writeFile(join(home, "data/storage/.backup"), "")
        const stop = new AbortController()
        const writing = (async () => {
          for (let n = 0; !stop.signal.aborted; n++) {
            await put(server, `busy/${n % 7}`, randomBytes(1 + (n % 5) * 40_000))
            await put(server, `new/${n}`, randomBytes(2000))
            if (n % 3 === 0) await server.call("DELETE", `${BASE}/rows/-/busy/${n % 7}`)
            await server.call("POST", BASE, { json: { name: `made-${n}` } })
            await server.call("DELETE", `${BASE}/made-${n - 2}`)
          }
        })()
        const report = await backUp(join(home, name), true)
        expect(report).toMatchObject({ damage: [], missing: [], manifest: { keys: true, secrets: 1, database: true } })
        stop.abort()
        await writing
      }
      expect((await stat(join(home, name))).mode & 0o777).toBe(0o600)
      expect((await readdir(join(home, "data"))).filter((one) => one.startsWith(".backup"))).toEqual([])
      const restored = join(home, "restored/data")
      expect((await restore(join(home, name), restored)).damage).toEqual([])
      for (const [path, sha256] of acknowledged) {
        expect(await digestOf(join(restored, "storage/filesets/default/rows", path))).toBe(sha256)
      }
      expect(await damageOf(restored)).toEqual([])
      // A server on the restored folder has the digests and can read the secrets.
      await using again = await startTestServer({}, join(home, "restored"))
      const { data } = (await again.call("GET", `${BASE}/rows/files?path=kept/`)).json
      const served = data.map(({ path, sha256 }: { path: string; sha256: string }) => [path, sha256] as const)
      expect(new Map(served)).toEqual(acknowledged)
      const rotated = await again.call("POST", "/apis/secrets/v2/rotate-encryption-keys")
      expect(rotated.json).toEqual({ rotated_secrets: 0, success: true })
    },
  )

  it("contains the encryption keys only on request", verifies("operating.backup.keys"), async () => {
    await using server = await startTestServer({}, home)
    await server.call("POST", `${SECRETS}/default/secrets`, { json: { name: "token", value: "v4lue" } })
    const key = (await readFile(join(home, "data/encryption-keys"), "utf8")).trim().split(":")[1] ?? ""
    const without = await backUp(join(home, "a.tar"))
    expect(without.manifest).toMatchObject({ keys: false, secrets: 1 })
    expect(await readFile(join(home, "a.tar"), "latin1")).not.toContain(key)
    await backUp(join(home, "b.tar"), true)
    expect(await readFile(join(home, "b.tar"), "latin1")).toContain(key)
    await restore(join(home, "a.tar"), join(home, "restored/data"))
    await expect(startTestServer({}, join(home, "restored"))).rejects.toMatchObject({ code: "encryption_key_missing" })
  })

  it(
    "reports damaged files, and a check of the restored copy reports them too",
    verifies("operating.deep-check"),
    async () => {
      await using server = await startTestServer({}, home)
      await server.call("POST", BASE, { json: { name: "rows" } })
      await put(server, "a", randomBytes(5000))
      await put(server, "b", randomBytes(5000))
      const file = join(home, "data/storage/filesets/default/rows/a")
      const bytes = await readFile(file)
      await writeFile(file, bytes.fill(0, 10, 20))
      const handle = await open(file, "r+")
      // A failing disk does not change the time: record the present time of the file.
      const { DatabaseSync } = await import("node:sqlite")
      const database = new DatabaseSync(join(home, "data/registry.db"))
      const { mtimeNs } = await handle.stat({ bigint: true })
      database.prepare("update file_digests set mtime_ns = ? where path = 'a'").run(String(mtimeNs))
      database.close()
      await handle.close()
      expect((await backUp(join(home, "a.tar"))).damage).toEqual([
        expect.stringMatching(/^default\/rows#a has the SHA-256/),
      ])
      await restore(join(home, "a.tar"), join(home, "copy"))
      expect(await damageOf(join(home, "copy"))).toEqual(["damaged default/rows#a"])
    },
  )

  it(
    "records the digest of the archived bytes for files without a recorded digest",
    verifies("operating.backup.online"),
    async () => {
      const bytes = randomBytes(5000)
      {
        await using server = await startTestServer({}, home)
        await server.call("POST", BASE, { json: { name: "rows" } })
        await put(server, "known", randomBytes(10))
        // This is like a file that is replaced after it was linked and before it is read.
        await writeFile(join(home, "data/storage/filesets/default/rows/replaced"), bytes)
        await backUp(join(home, "a.tar"))
      }
      await restore(join(home, "a.tar"), join(home, "restored/data"))
      await using again = await startTestServer({}, join(home, "restored"))
      const { data } = (await again.call("GET", `${BASE}/rows/files`)).json
      const sha256 = createHash("sha256").update(bytes).digest("hex")
      expect(data).toMatchObject([{ path: "known" }, { path: "replaced", sha256 }])
    },
  )

  it("reports the reason if it can't take its lock", async () => {
    await using server = await startTestServer({}, home)
    expect(server.url).not.toBe("")
    await mkdir(join(home, "data/backup.lock"))
    await expect(backUp(join(home, "a.tar"))).rejects.toMatchObject({
      code: "local_file_failed",
      message: expect.stringMatching(/backup\.lock' can't be locked: unable to open database file/),
    })
  })

  it("runs once at a time, and the next start of the server removes the files of a killed one", async () => {
    {
      await using server = await startTestServer({}, home)
      const results = await Promise.allSettled([backUp(join(home, "a.tar")), backUp(join(home, "b.tar"))])
      expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
      expect(server.url).not.toBe("")
    }
    await mkdir(join(home, "data/.backup"))
    await using _server = await startTestServer({}, home)
    expect(existsSync(join(home, "data/.backup"))).toBe(false)
  })
})

describe("an archive", () => {
  let file: string
  beforeEach(async () => {
    await using server = await startTestServer({}, home)
    await server.call("POST", BASE, { json: { name: "rows" } })
    for (const name of ["a", "b/c"]) await put(server, name, randomBytes(30_000))
    file = join(home, "a.tar")
    await backUp(file)
  })

  it(
    "is refused if it is cut short anywhere, and nothing is restored",
    verifies("operating.backup.whole"),
    async () => {
      await backUp(join(home, "a.tar.gz"))
      await backUp(join(home, "a.tar.zst"))
      for (const name of ["a.tar", "a.tar.gz", "a.tar.zst"]) {
        const { size } = await stat(join(home, name))
        for (const part of [0, 10, 600, size >> 1, size - 2000, size - 600]) {
          const cut = join(home, `cut-${name}`)
          await writeFile(cut, (await readFile(join(home, name))).subarray(0, part))
          await expect(restore(cut, join(home, "empty"))).rejects.toMatchObject({ code: "bad_backup" })
          expect((await readdir(join(home, "empty"))).filter((entry) => !entry.includes("lock"))).toEqual([])
        }
      }
    },
  )

  it("is refused if it was changed, and the message names the file", verifies("operating.backup.whole"), async () => {
    const bytes = await readFile(file)
    const at = bytes.indexOf("storage/filesets/default/rows/a", 1024) + 2000
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await writeFile(file, bytes)
    await expect(restore(file, join(home, "empty"))).rejects.toMatchObject({
      code: "bad_backup",
      message: expect.stringMatching(/'storage\/filesets\/default\/rows\/(a|b\/c)' has other bytes/),
    })
  })

  it(
    "is not restored over other data or under a running server, and replaced data is kept in a folder",
    verifies("operating.restore"),
    async () => {
      await expect(restore(file, join(home, "data"))).rejects.toMatchObject({ code: "bad_usage" })
      {
        await using _server = await startTestServer({}, home)
        await expect(restore(file, join(home, "data"), true)).rejects.toMatchObject({ code: "bad_settings" })
      }
      const { before } = await restore(file, join(home, "data"), true)
      expect(await readdir(before ?? "")).toContain("registry.db")
      // The archive contains no keys, so the present keys stay.
      expect(existsSync(join(home, "data/encryption-keys"))).toBe(true)
      expect(await damageOf(join(home, "data"))).toEqual([])
      await mkdir(join(home, "data/.restoring"))
      await expect(startTestServer({}, home)).rejects.toMatchObject({
        code: "bad_settings",
        message: expect.stringMatching(/did not end/),
      })
    },
  )

  it("leaves no partial file if it can't be written", async () => {
    const output = openFileOutput(join(home, "nowhere/a.tar"))
    const context = { settings: settingsOf(), cwd: home, now: Date.now, randomBytes }
    await expect(writeBackup(context, { output, withKeys: false, signal })).rejects.toMatchObject({
      code: "not_found",
    })
    await truncate(file, 0)
    const aborted = AbortSignal.abort(new Error("enough"))
    const again = { output: openFileOutput(join(home, "b.tar")), withKeys: false, signal: aborted }
    await expect(writeBackup(context, again)).rejects.toThrow("enough")
    expect((await readdir(home)).toSorted()).toEqual(["a.tar", "data"])
  })
})

describe("a restore", () => {
  it(
    "that was killed while it moved files into place can be repeated with --force, and no server starts before",
    verifies("operating.restore"),
    async () => {
      {
        await using server = await startTestServer({}, home)
        await server.call("POST", BASE, { json: { name: "rows" } })
        await server.call("PUT", `${BASE}/rows/-/a.txt`, { body: "alpha" })
      }
      const file = join(home, "a.tar")
      await backUp(file, true)
      const data = join(home, "restored/data")
      await restore(file, data)
      // The last step moves the database: undo it.
      await mkdir(join(data, ".restoring"))
      await rename(join(data, "registry.db"), join(data, ".restoring/registry.db"))
      await expect(startTestServer({}, join(home, "restored"))).rejects.toMatchObject({ code: "bad_settings" })
      await expect(restore(file, data)).rejects.toMatchObject({
        code: "bad_usage",
        message: expect.stringContaining("--force"),
      })
      const { before, damage } = await restore(file, data, true)
      expect([damage, await readdir(before ?? "")]).toEqual([[], expect.arrayContaining(["storage"])])
      await using server = await startTestServer({}, join(home, "restored"))
      expect((await server.call("GET", `${BASE}/rows/-/a.txt`)).text).toBe("alpha")
    },
  )
})
