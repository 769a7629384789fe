import { existsSync, mkdirSync, mkdtempDisposableSync, writeFileSync, type DisposableTempDir } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { findRunFolder, prepareRunFolder, type RunFolderOptions } from "./run-folder.ts"
import { writeRunRecord, type RunRecord } from "./run-record.ts"

const OWN_PID = 1
const RUNNING_PID = 2
const ENDED_PID = 3

let folder: DisposableTempDir
beforeEach(() => {
  folder = mkdtempDisposableSync(join(tmpdir(), "assay-run-"))
  return () => folder.remove()
})

const options = (over: Partial<RunFolderOptions> = {}): RunFolderOptions => {
  const dataFolder = join(folder.path, "runs")
  const ports = { now: () => 0, pid: OWN_PID, isProcessAlive: (pid: number) => pid === RUNNING_PID }
  return { out: undefined, dataFolder, name: "n", digest: "d", fresh: false, ports, ...over }
}

async function interrupt(over: Partial<RunRecord> = {}): Promise<string> {
  const given = await prepareRunFolder(undefined, options())
  const record = {
    id: "eval-1",
    digest: "d",
    status: "RUNNING",
    attempt: 1,
    pid: ENDED_PID,
    file: null,
    overrides: {},
  } as const
  await writeRunRecord(given.folder, { ...record, created_at: 0, ...over })
  return given.folder
}

describe("the folder of a local run", () => {
  it("is named after the run and its time, with a number if the name is taken", async () => {
    const [first, second] = [await interrupt(), await interrupt()]
    expect(first).toBe(join(folder.path, "runs", "n-19700101-000000"))
    expect(second).toBe(`${first}-2`)
    expect(existsSync(join(folder.path, "runs", ".gitignore"))).toBe(true)
  })

  it("is the folder of the last interrupted run with the same digest, unless the run is fresh", async () => {
    await interrupt()
    const last = await interrupt()
    expect(await findRunFolder(options())).toMatchObject({ folder: last, before: { id: "eval-1" } })
    expect(await findRunFolder(options({ fresh: true }))).toBeUndefined()
    expect(await findRunFolder(options({ digest: "another" }))).toBeUndefined()
  })

  it.each([{ status: "COMPLETED" }, { status: "FAILED" }, { pid: RUNNING_PID }] as const)(
    "is new after a run with %j",
    async (over) => {
      await interrupt(over)
      expect(await findRunFolder(options())).toBeUndefined()
    },
  )

  it("is the named folder, unless another process writes to it or it contains files of a project", async () => {
    const out = join(folder.path, "out")
    expect(await findRunFolder(options({ out }))).toEqual({ folder: out })
    const busy = await interrupt({ pid: RUNNING_PID })
    await expect(findRunFolder(options({ out: busy }))).rejects.toMatchObject({ code: "path_conflict" })
    mkdirSync(join(folder.path, "project", "config"), { recursive: true })
    const project = findRunFolder(options({ out: join(folder.path, "project") }))
    await expect(project).rejects.toMatchObject({ code: "path_conflict", message: expect.stringContaining("'config'") })
  })

  it("loses the files of an earlier run and keeps all others", async () => {
    const out = await interrupt({ status: "COMPLETED" })
    writeFileSync(join(out, "journal.jsonl"), "rows of another run")
    writeFileSync(join(out, "notes.txt"), "mine")
    await prepareRunFolder(await findRunFolder(options({ out })), options({ out }))
    expect([existsSync(join(out, "journal.jsonl")), existsSync(join(out, "notes.txt"))]).toEqual([false, true])
  })
})
