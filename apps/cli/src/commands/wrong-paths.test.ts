import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { startServer } from "../testing/start-server.ts"
import { runCommand, type RunResult } from "../testing/run-command.ts"
import { makeTemporaryFolder } from "../testing/temporary-folder.ts"

function openFolder() {
  const folder = makeTemporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const env = { ASSAY_DATA_DIR: folder.path }
  const run = (...words: readonly string[]): Promise<RunResult> => runCommand(words, { cwd: folder.path, env })
  return { folder, run }
}

it("assay token revoke in a folder without a server says that there is no token file", async () => {
  const { folder, run } = openFolder()
  const { exitCode, stderr } = await run("token", "revoke", "token-1")
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining(`no token file '${join(folder.path, "tokens.json")}'`),
  ])
})

it("assay backup to a folder, or into a missing one, names the folder and no temporary file", async () => {
  const { folder, run } = openFolder()
  await run("migrate")
  const onFolder = await run("backup", folder.path)
  expect([onFolder.exitCode, onFolder.stderr]).toEqual([
    2,
    expect.stringContaining(`'${folder.path}' is a folder: name the file to write`),
  ])
  const file = join(folder.path, "missing", "a.tar")
  const missing = await run("backup", file)
  expect([missing.exitCode, missing.stderr]).toEqual([
    2,
    expect.stringContaining(`Can't write '${file}': it does not exist (ENOENT)`),
  ])
})

it("a name that is not possible, and a missing baseline, are named with what helps", async () => {
  const server = await startServer()
  onTestFinished(async () => void (await server.stop()))
  const run = (...words: readonly string[]) => runCommand(words, { cwd: server.folder, env: { ASSAY_URL: server.url } })
  const named = await run("workspace", "create", "Bad Name!")
  expect(named.stderr).toContain("name: 'Bad Name!' is not possible. A name has 2 to 63 small letters")
  const fileset = await run("fileset", "create", "my set")
  expect(fileset.stderr).toContain("'my set' is not possible. A name has letters, digits, '.', '_' and '-'")
  const baseline = await run("baseline", "get", "nope")
  expect(baseline.stderr).toContain("\n    assay baseline list --workspace default\n")
})
