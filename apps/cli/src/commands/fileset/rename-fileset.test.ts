import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { startServer, type TestServer } from "../../testing/start-server.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"

let server: TestServer
let folder: TemporaryFolder
beforeAll(async () => {
  server = await startServer()
  folder = makeTemporaryFolder()
  folder.write("rows/a.jsonl", '{"a":1}\n')
})
afterAll(async () => {
  folder[Symbol.dispose]()
  await server.stop()
})

const assay = (...words: string[]) => {
  const env = { ASSAY_URL: server.url, XDG_CACHE_HOME: join(folder.path, "cache") }
  return runCommand(words, { cwd: folder.path, env })
}
const hub = (path: string) => fetch(`${server.url}/apis/files/v2/hf${path}`)

describe("assay fileset rename", () => {
  it(
    "changes the name for files, listings, searches, rows and hub clients",
    verifies("cli.fileset.rename", "filesets.rename"),
    async () => {
      await assay("push", "./rows", "reviews-before", "--purpose", "dataset")
      const { exitCode, stdout } = await assay("fileset", "rename", "default/reviews-before", "archive-2025")
      expect([exitCode, stdout]).toEqual([0, "renamed default/reviews-before to default/archive-2025\n"])
      expect((await assay("cat", "archive-2025#a.jsonl")).stdout).toBe('{"a":1}\n')
      expect((await assay("dataset", "head", "archive-2025#a.jsonl")).stdout).toContain('"a":1')
      expect((await assay("fileset", "list", "--name", "archive-20")).stdout).toContain("default/archive-2025")
      expect((await assay("fileset", "list", "--name", "reviews-bef")).stdout).not.toContain("archive")
      expect((await hub("/default/archive-2025/resolve/main/a.jsonl")).status).toBe(200)
      expect((await hub("/default/reviews-before/resolve/main/a.jsonl")).status).toBe(404)
      expect((await assay("cat", "reviews-before#a.jsonl")).exitCode).toBe(2)
      expect(JSON.parse((await assay("push", "./rows", "archive-2025", "--json")).stdout)).toMatchObject({
        unchanged: 1,
      })
    },
  )

  it(
    "refuses a name that is taken, an invalid name, and another workspace",
    verifies("cli.fileset.rename"),
    async () => {
      for (const name of ["one", "two"]) await assay("fileset", "create", name)
      const taken = await assay("fileset", "rename", "one", "two")
      expect([taken.exitCode, taken.stderr]).toEqual([
        2,
        expect.stringContaining("Fileset 'default/two' already exists"),
      ])
      const odd = await assay("fileset", "rename", "one", "a b")
      expect([odd.exitCode, odd.stderr]).toEqual([2, expect.stringContaining("name")])
      const away = await assay("fileset", "rename", "one", "other/one")
      expect([away.exitCode, away.stderr]).toEqual([2, expect.stringContaining("A fileset stays in its workspace")])
      expect((await assay("fileset", "get", "one")).exitCode).toBe(0)
    },
  )

  it(
    "keeps files separate from those of a new fileset with the old name, also in a backup",
    verifies("filesets.rename"),
    async () => {
      await assay("push", "./rows", "first")
      await assay("fileset", "rename", "first", "moved")
      folder.write("other/a.jsonl", '{"b":2}\n')
      await assay("push", "./other", "first")
      const inServer = (...words: string[]) => runCommand(words, { cwd: server.folder, env: { ASSAY_URL: server.url } })
      const file = join(folder.path, "backup.tar.zst")
      expect((await inServer("backup", file)).exitCode).toBe(0)
      const target = join(folder.path, "restored")
      expect(await inServer("restore", file, "--data-dir", target)).toMatchObject({ exitCode: 0, stderr: "" })
      const { exitCode, stdout } = await inServer("doctor", "--deep", "--data-dir", target)
      expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^ok +files +3 files /m)])
      expect((await assay("cat", "moved#a.jsonl")).stdout).toBe('{"a":1}\n')
      expect((await assay("cat", "first#a.jsonl")).stdout).toBe('{"b":2}\n')
    },
  )
})
