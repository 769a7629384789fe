import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { PassThrough } from "node:stream"
import { verifies } from "@assay/testkit"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { runCommand, runWith, type RunResult } from "../../testing/run-command.ts"
import { startAssay } from "../../testing/start-assay.ts"
import type { TestServer } from "../../testing/start-server.ts"
import { startServerProcess } from "../../testing/start-server-process.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"

let server: TestServer
let folder: TemporaryFolder
const WAIT = { timeout: 15_000, interval: 5 }

let number = 0
/** Name of the fileset of the running test. */
let name = ""
beforeAll(async () => {
  server = await startServerProcess()
})
afterAll(() => server.stop())
beforeEach(() => {
  folder = makeTemporaryFolder()
  number += 1
  name = `rows-${number}`
})
afterEach(async () => {
  // The backup reports the number of filesets.
  await assay("fileset", "delete", name, "--yes")
  folder[Symbol.dispose]()
})

/** Runs a command in the folder of the server, as its operator does. */
const assay = (...words: readonly string[]): Promise<RunResult> =>
  runCommand(words, { cwd: server.folder, env: { ASSAY_URL: server.url } })

async function pushFiles(files: Readonly<Record<string, Uint8Array | string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) folder.write(`files/${path}`, content)
  const pushed = await assay("push", join(folder.path, "files"), `default/${name}`)
  expect(pushed.exitCode).toBe(0)
}

describe("assay backup and restore", () => {
  it(
    "copy the data of a running server, and doctor --deep finds every changed byte in the copy",
    verifies("operating.deep-check", "operating.restore"),
    async () => {
      await pushFiles({ "a.txt": "alpha", "b/c.txt": "gamma", "empty.txt": "" })
      await runCommand(["secret", "set", "token"], { env: { ASSAY_URL: server.url }, input: "v4lue" })
      const file = join(folder.path, "a.tar.zst")
      const made = await assay("backup", file, "--with-keys")
      // A backup without keys cannot decrypt this secret.
      await assay("secret", "delete", "token", "--yes")
      expect(made).toMatchObject({ exitCode: 0, stderr: "" })
      expect(made.stdout).toMatch(/^backed up 1 fileset with 3 files \(10 B\) to \S+a\.tar\.zst in /)
      expect(made.stdout).toContain("anyone with this file can read every secret")
      expect((await assay("backup", file)).exitCode).toBe(2)
      const target = join(folder.path, "restored")
      expect(await assay("restore", file, "--data-dir", target)).toMatchObject({ exitCode: 0, stderr: "" })
      const well = await assay("doctor", "--deep", "--data-dir", target)
      expect(well.stdout).toMatch(/^ok +files +3 files \(10 B\) in 1 fileset read$/m)
      expect(well.exitCode).toBe(0)

      const damaged = join(target, `storage/filesets/default/${name}/b/c.txt`)
      writeFileSync(damaged, "gbmma")
      rmSync(join(target, `storage/filesets/default/${name}/a.txt`))
      const found = await assay("doctor", "--deep", "--data-dir", target, "--json")
      expect(found.exitCode).toBe(1)
      expect(JSON.parse(found.stdout)).toMatchObject({
        ok: false,
        damage: [
          { kind: "missing", place: `default/${name}#a.txt` },
          { kind: "changed", place: `default/${name}#b/c.txt` },
        ],
      })
      const text = await assay("doctor", "--deep", "--data-dir", target)
      expect(text.stdout).toMatch(/^FAIL +files .*2 files are damaged:$/m)
      expect(text.stdout).toContain(`changed: default/${name}#b/c.txt`)
    },
  )

  it("work with stdout and stdin", verifies("operating.restore"), async () => {
    await pushFiles({ "a.txt": "alpha" })
    const { child, ended } = startAssay(["backup", "-"], { cwd: server.folder })
    const parts: Buffer[] = []
    child.stdout.on("data", (part: Buffer) => parts.push(part))
    const { exitCode, stderr } = await ended
    expect([exitCode, stderr.split("\n")[0]]).toEqual([0, expect.stringMatching(/^backed up 1 fileset/)])
    const target = join(folder.path, "restored")
    const restoring = startAssay(["restore", "-", "--data-dir", target], {
      cwd: server.folder,
      input: Buffer.concat(parts),
    })
    expect((await restoring.ended).exitCode).toBe(0)
    expect(readFileSync(join(target, `storage/filesets/default/${name}/a.txt`), "utf8")).toBe("alpha")
  })

  it("replace nothing without --force", verifies("operating.restore"), async () => {
    await pushFiles({ "a.txt": "alpha" })
    const file = join(folder.path, "a.tar")
    expect((await assay("backup", file)).exitCode).toBe(0)
    const target = join(folder.path, "restored")
    expect((await assay("restore", file, "--data-dir", target)).exitCode).toBe(0)
    await pushFiles({ "a.txt": "newer" })
    const kept = await assay("backup", file)
    expect([kept.exitCode, kept.stderr]).toEqual([2, expect.stringContaining("exists already")])
    expect((await assay("backup", file, "--force")).exitCode).toBe(0)
    const restored = `storage/filesets/default/${name}/a.txt`
    const refused = await assay("restore", file, "--data-dir", target)
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("is not empty")])
    expect(readFileSync(join(target, restored), "utf8")).toBe("alpha")
    const forced = await assay("restore", file, "--data-dir", target, "--force", "--json")
    const { before } = JSON.parse(forced.stdout)
    expect([forced.exitCode, readFileSync(join(before, restored), "utf8")]).toEqual([0, "alpha"])
    expect(readFileSync(join(target, restored), "utf8")).toBe("newer")
    // --force does not replace the folder of a running server.
    const busy = await assay("restore", file, "--force")
    expect([busy.exitCode, busy.stderr]).toEqual([2, expect.stringContaining("Another server is using")])
  })

  it("report damage with exit code 1 and continue with the rest", verifies("operating.deep-check"), async () => {
    await pushFiles({ "a.txt": "alpha", "b.txt": "beta" })
    const damaged = join(server.folder, `.assay/storage/filesets/default/${name}/a.txt`)
    writeFileSync(damaged, "Alpha")
    // Damage by a disk does not change the modification time.
    const database = new DatabaseSync(join(server.folder, ".assay/registry.db"), { timeout: 5000 })
    const { mtimeNs } = statSync(damaged, { bigint: true })
    const fileset = database.prepare("select id from filesets where name = ?").get(name)
    database
      .prepare("update file_digests set mtime_ns = ? where path = 'a.txt' and fileset_id = ?")
      .run(String(mtimeNs), fileset?.["id"] ?? null)
    database.close()
    const file = join(folder.path, "a.tar")
    const made = await assay("backup", file)
    expect([made.exitCode, made.stdout]).toEqual([1, expect.stringContaining(`default/${name}#a.txt`)])
    expect(made.stdout).toContain("1 item is damaged, and the backup contains the damaged state")
    const checked = await assay("doctor", "--deep", "--json")
    expect([checked.exitCode, JSON.parse(checked.stdout).damage]).toEqual([
      1,
      [{ kind: "damaged", place: `default/${name}#a.txt`, detail: expect.any(String) }],
    ])
    const target = join(folder.path, "restored")
    expect((await assay("restore", file, "--data-dir", target)).exitCode).toBe(0)
    expect(readFileSync(join(target, `storage/filesets/default/${name}/b.txt`), "utf8")).toBe("beta")
    expect((await assay("doctor", "--deep", "--data-dir", target)).exitCode).toBe(1)
  })

  it("refuse a data folder whose database is lost", verifies("operating.lost-database"), async () => {
    await pushFiles({ "a.txt": "alpha" })
    const file = join(folder.path, "a.tar")
    await assay("backup", file)
    const target = join(folder.path, "restored")
    await assay("restore", file, "--data-dir", target)
    const well = await assay("doctor", "--deep", "--data-dir", target)
    expect([well.exitCode, well.stdout]).toEqual([0, expect.stringMatching(/ok +storage +the one of this database/)])
    for (const file of ["registry.db", "registry.db-wal"]) rmSync(join(target, file), { force: true })
    const at = { ASSAY_DATA_DIR: target, ASSAY_URL: "", PORT: "1" }
    for (const [words, exitCode] of [
      [["doctor", "--deep"], 1],
      [["doctor"], 2],
      [["serve"], 2],
    ] as const) {
      const found = await runCommand(words, { cwd: folder.path, env: at })
      expect([words, found.exitCode]).toEqual([words, exitCode])
      expect(found.stdout + found.stderr).toContain("the database has no record of them")
    }
    expect(existsSync(join(target, "registry.db"))).toBe(false)
  })

  it("distinguish a damaged database from secrets without their key", verifies("operating.deep-check"), async () => {
    await pushFiles({ "a.txt": "alpha" })
    await runCommand(["secret", "set", "token"], { env: { ASSAY_URL: server.url }, input: "v4lue" })
    const file = join(folder.path, "a.tar")
    const made = await assay("backup", file)
    await assay("secret", "delete", "token", "--yes")
    expect(made.stdout).toContain("It contains 1 secret, but not the encryption keys")
    const target = join(folder.path, "restored")
    const restored = await assay("restore", file, "--data-dir", target)
    expect(restored.stdout).toContain("It contains 1 secret but no encryption keys")
    const locked = await assay("doctor", "--deep", "--data-dir", target)
    expect([locked.exitCode, locked.stdout]).toEqual([
      2,
      expect.stringMatching(/^FAIL +secrets +1 secret can't be read:/m),
    ])
    expect(locked.stdout).toMatch(/^ok +database +intact/m)
    const database = join(target, "registry.db")
    const tables = new DatabaseSync(database)
    tables.exec("update fileset_counts set total = total + 3")
    tables.close()
    const miscounted = await assay("doctor", "--deep", "--data-dir", target)
    expect([miscounted.exitCode, miscounted.stdout]).toEqual([
      1,
      expect.stringMatching(/^FAIL +database .* is off by 3/m),
    ])
    writeFileSync(database, readFileSync(database).fill(0xff, 4096, 40_960))
    const broken = await assay("doctor", "--deep", "--data-dir", target)
    expect([broken.exitCode, broken.stdout]).toEqual([
      1,
      expect.stringMatching(/^FAIL +(?:data|database) .*malformed/m),
    ])
  })

  it(
    "leave no incomplete archive if the backup is killed, and the next backup works",
    verifies("operating.backup.whole"),
    async () => {
      await pushFiles(Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`${n}`, randomBytes(2_000_000)])))
      const file = join(folder.path, "a.tar.gz")
      const { child, ended } = startAssay(["backup", file], { cwd: server.folder })
      const part = `${file}.part`
      await vi.waitUntil(() => existsSync(part) && statSync(part).size > 100_000, WAIT)
      child.kill("SIGKILL")
      expect((await ended).exitCode).toBeNull()
      expect(existsSync(file)).toBe(false)
      expect((await assay("backup", file)).exitCode).toBe(0)
      expect(existsSync(part)).toBe(false)
      expect(readdirSync(join(server.folder, ".assay/storage"))).not.toContain(".backup")
      const target = join(folder.path, "restored")
      expect((await assay("restore", file, "--data-dir", target)).exitCode).toBe(0)
      expect((await assay("doctor", "--deep", "--data-dir", target)).exitCode).toBe(0)
    },
  )

  it(
    "leave nothing that a server would use if the restore is killed, and the next restore works",
    verifies("operating.restore"),
    async () => {
      await pushFiles(Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`${n}`, randomBytes(2_000_000)])))
      const file = join(folder.path, "a.tar.gz")
      await assay("backup", file)
      const target = join(folder.path, "restored")
      const { child, ended } = startAssay(["restore", file, "--data-dir", target], { cwd: server.folder })
      await vi.waitUntil(() => existsSync(join(target, ".restoring/storage")), WAIT)
      child.kill("SIGKILL")
      expect((await ended).exitCode).toBeNull()
      const refused = await assay("serve", "--port", "0", "--data-dir", target)
      expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("did not end")])
      expect((await assay("backup", join(folder.path, "b.tar"), "--data-dir", target)).exitCode).toBe(2)
      expect((await assay("restore", file, "--data-dir", target)).exitCode).toBe(0)
      expect(existsSync(join(target, ".restoring"))).toBe(false)
      expect((await assay("doctor", "--deep", "--data-dir", target)).exitCode).toBe(0)
    },
  )

  it("say that a server with DATABASE_URL does not read the restored records", async () => {
    const file = join(folder.path, "a.tar")
    await assay("backup", file)
    const env = {
      DATABASE_URL: "postgres://127.0.0.1:9/none",
      ASSAY_SHARED_LOCAL: "1",
      ASSAY_ENCRYPTION_KEYS: `one:${Buffer.alloc(32).toString("base64")}`,
    }
    const target = join(folder.path, "restored")
    const { exitCode, stdout, stderr } = await runCommand(["restore", file, "--data-dir", target], {
      cwd: server.folder,
      env,
    })
    expect([exitCode, stdout, stderr]).toEqual([
      0,
      expect.stringContaining("DATABASE_URL is set: the restored records are in"),
      "",
    ])
  })

  it("refuse a folder without a server's data and a file that is not an archive", async () => {
    const nothing = await assay("doctor", "--deep", "--data-dir", join(folder.path, "nothing"))
    expect(nothing.exitCode).toBe(2)
    expect(nothing.stdout).toContain("There is no database in")
    expect(
      (await assay("backup", join(folder.path, "x.tar"), "--data-dir", join(folder.path, "nothing"))).exitCode,
    ).toBe(2)
    folder.write("other.tar", "not a tar")
    const refused = await assay(
      "restore",
      join(folder.path, "other.tar"),
      "--data-dir",
      join(folder.path, "r"),
      "--json",
    )
    expect([refused.exitCode, JSON.parse(refused.stderr).error.code]).toEqual([2, "bad_backup"])
    const missing = await assay("restore", join(folder.path, "missing.tar"), "--data-dir", join(folder.path, "r"))
    expect(missing.exitCode).toBe(2)
  })
})

describe("assay secret discard-unreadable", () => {
  it(
    "deletes the secrets whose key is lost, so that the server starts again",
    verifies("secrets.lost-keys"),
    async () => {
      const home = join(folder.path, "home")
      mkdirSync(home)
      const serve = async () => {
        const stopping = new AbortController()
        const stdout = new PassThrough()
        const stderr = new PassThrough()
        const env = { ASSAY_LOG_LEVEL: "silent" }
        const options = { cwd: home, env, signal: stopping.signal }
        const ended = runWith(["serve", "--port", "0", "--json"], { stdout, stderr }, options)
        const said = await Promise.race([once(stdout, "data").then(String), ended.then(() => String(stderr.read()))])
        return { said, stop: async () => (stopping.abort(), ended) }
      }
      const run = (...words: readonly string[]) => runCommand(words, { cwd: home })
      const first = await serve()
      const env = { ASSAY_URL: JSON.parse(first.said).url as string }
      await runCommand(["secret", "set", "token"], { env, input: "v4lue" })
      const busy = await run("secret", "discard-unreadable", "--yes")
      expect([busy.exitCode, busy.stderr]).toEqual([2, expect.stringContaining("Another server is using")])
      await first.stop()
      expect((await run("secret", "discard-unreadable", "--yes")).stdout).toMatch(/^every secret can be read/)
      rmSync(join(home, ".assay/encryption-keys"))
      const refused = await serve()
      expect(refused.said).toContain("1 secret needs the encryption key 'local-")
      expect(await refused.stop()).toBe(2)
      expect((await runCommand(["doctor"], { cwd: home, env: { PORT: "1" } })).exitCode).toBe(2)
      expect((await run("secret", "discard-unreadable")).exitCode).toBe(2)
      expect((await run("secret", "discard-unreadable", "--dry-run")).stdout).toContain("default/token")
      expect((await run("secret", "discard-unreadable", "--yes")).stdout).toContain("deleted 1 secret")
      const again = await serve()
      expect(JSON.parse(again.said)).toHaveProperty("url")
      await again.stop()
    },
  )
})

describe("assay doctor", () => {
  it(
    "reports file modes that are too open, with the command that corrects them",
    verifies("operating.loose-modes"),
    async () => {
      const keys = join(server.folder, ".assay/encryption-keys")
      chmodSync(keys, 0o644)
      const { exitCode, stdout } = await assay("doctor")
      expect(exitCode).toBe(2)
      expect(stdout).toMatch(/^FAIL +modes +The file of encryption keys .* has the mode 0644: every user/m)
      expect(stdout).toContain(`chmod 600 ${keys}`)
      expect(statSync(keys).mode & 0o777).toBe(0o644)
      chmodSync(keys, 0o600)
    },
  )
})
