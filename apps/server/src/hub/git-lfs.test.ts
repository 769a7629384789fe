import { execFile, execFileSync } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startHub, type TestHub } from "../testing/start-hub.ts"
import { FILES } from "../testing/start-test-server.ts"

const isInstalled = (() => {
  try {
    execFileSync("git", ["lfs", "version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

describe.skipIf(!isInstalled)(`git with LFS${isInstalled ? "" : ": skipped, because git-lfs is not installed"}`, () => {
  let hub: TestHub
  let home: string
  beforeAll(async () => {
    hub = await startHub()
    home = await mkdtemp(join(tmpdir(), "git-lfs-"))
    await hub.fetchAs("editor")(`${hub.url}/api/repos/create`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "objects", type: "model" }),
    })
  })
  afterAll(async () => {
    await hub[Symbol.asyncDispose]()
    await rm(home, { recursive: true })
  })

  /** Runs git without the settings of the machine. */
  async function git(folder: string, ...command: string[]): Promise<void> {
    const identity = {
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@example.com",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@example.com",
    }
    const env = {
      PATH: process.env["PATH"],
      HOME: home,
      GIT_TERMINAL_PROMPT: "0",
      GIT_LFS_SKIP_SMUDGE: "1",
      ...identity,
    }
    await promisify(execFile)("git", command, { cwd: join(home, folder), env, timeout: 30_000 })
  }
  async function useHub(folder: string): Promise<void> {
    await git(folder, "lfs", "install", "--local")
    await git(folder, "config", "lfs.url", `${hub.url}/default/objects.git/info/lfs`)
    await git(folder, "config", `http.${hub.url}.extraHeader`, `Authorization: Bearer ${hub.token("editor")}`)
  }

  it("pushes objects, which are files of the fileset, and pulls them", verifies("hub.lfs-kept"), async () => {
    const bytes = randomBytes(2_000_000)
    await git(".", "init", "-q", "--bare", "remote.git")
    await git(".", "clone", "-q", "remote.git", "here")
    await useHub("here")
    await writeFile(join(home, "here", "a.bin"), bytes)
    await git("here", "lfs", "track", "*.bin")
    await git("here", "add", ".")
    await git("here", "commit", "-qm", "one")
    await git("here", "push", "-q", "origin", "HEAD")
    await git(".", "clone", "-q", "remote.git", "there")
    expect(await readFile(join(home, "there", "a.bin"), "utf8")).toMatch(/^version https:\/\/git-lfs/)
    await useHub("there")
    await git("there", "lfs", "pull")
    expect(bytes.equals(await readFile(join(home, "there", "a.bin")))).toBe(true)

    const files = "/default/filesets/objects/files"
    const oid = createHash("sha256").update(bytes).digest("hex")
    const path = `lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`
    expect(await hub.get("viewer", files)).toMatchObject({ data: [{ path, size: bytes.length, sha256: oid }] })
    // Nothing waits for a commit, so nothing of the push expires.
    expect(await readdir(join(hub.server.folder, "data/objects")).catch(() => [])).toEqual([])
    await git("here", "lfs", "push", "--all", "origin")
    const removed = await hub.fetchAs("editor")(`${hub.server.url}${FILES}/default/filesets/objects/-/${path}`, {
      method: "DELETE",
    })
    expect(removed.status).toBe(200)
    expect(await hub.get("viewer", files)).toMatchObject({ data: [] })
    await git("here", "lfs", "push", "--all", "origin")
    expect(await hub.get("viewer", files)).toMatchObject({ data: [{ path }] })
  })

  it("logs in with a token as password, and turns off locks", verifies("hub.lfs-login", "hub.lfs-locks"), async () => {
    const bytes = randomBytes(50_000)
    await git(".", "init", "-q", "--bare", "login.git")
    await git(".", "clone", "-q", "login.git", "login")
    const url = `${hub.url}/default/objects.git/info/lfs`
    await git("login", "lfs", "install", "--local")
    await git("login", "config", "lfs.url", url)
    await writeFile(join(home, "login", "c.bin"), bytes)
    await git("login", "lfs", "track", "*.bin")
    await git("login", "add", ".")
    await git("login", "commit", "-qm", "one")
    const push = () => git("login", "push", "-q", "origin", "HEAD")
    await expect(push()).rejects.toThrow("Git credentials for")
    const netrc = join(home, ".netrc")
    await writeFile(netrc, `machine 127.0.0.1 login me password ${hub.token("editor")}\n`, { mode: 0o600 })
    await push()
    await rm(netrc)
    expect(await readFile(join(home, "login", ".git", "config"), "utf8")).toContain("locksverify = false")
    await rm(join(home, "login", ".git", "lfs", "objects"), { recursive: true })
    const helper = `!f() { echo username=x; echo password=${hub.token("viewer")}; }; f`
    await git("login", "config", "credential.helper", helper)
    await rm(join(home, "login", "c.bin"))
    await git("login", "checkout", "c.bin")
    await git("login", "lfs", "pull")
    expect(bytes.equals(await readFile(join(home, "login", "c.bin")))).toBe(true)
    await expect(git("login", "lfs", "lock", "c.bin")).rejects.toThrow("no file locks")
  })

  it("shows what works instead of clone and push", verifies("hub.git-refused"), async () => {
    for (const id of ["default/objects", "datasets/default/objects.git", "default/none"]) {
      await expect(git(".", "clone", `${hub.url}/${id}`, "cloned")).rejects.toThrow(
        /fatal: remote error: default\/\w+ is a fileset, not a git repository: .*hf download default\/\w+.* or `assay pull`/,
      )
    }
    await git(".", "init", "-q", "pushed")
    await git("pushed", "commit", "-q", "--allow-empty", "-m", "one")
    await expect(git("pushed", "push", `${hub.url}/default/objects.git`, "HEAD")).rejects.toThrow("is a fileset")
  })

  it("pulls the content of a file whose digest was never computed", verifies("hub.lfs-kept"), async () => {
    const bytes = randomBytes(100_000)
    await git(".", "init", "-q", "unhashed")
    await useHub("unhashed")
    await writeFile(join(home, "unhashed", "b.bin"), bytes)
    await git("unhashed", "lfs", "track", "*.bin")
    await git("unhashed", "add", ".")
    await git("unhashed", "commit", "-qm", "one")
    await rm(join(home, "unhashed", ".git", "lfs", "objects"), { recursive: true })
    await rm(join(home, "unhashed", "b.bin"))
    await writeFile(join(hub.server.folder, "data/storage/filesets/default/objects/by-hand.bin"), bytes)
    await git("unhashed", "checkout", "b.bin")
    // Changes by others than the server are seen within a second.
    const pulled = () => git("unhashed", "lfs", "pull").then(() => readFile(join(home, "unhashed", "b.bin")))
    await expect.poll(() => pulled().catch(() => undefined), { timeout: 10_000, interval: 500 }).toEqual(bytes)
  })
})
