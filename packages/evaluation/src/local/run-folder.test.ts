import { existsSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { makeTemporaryFolder, type TemporaryFolder } from "../../../testing/temporary-folder.ts"
import { findRunPlace, prepareRunPlace, type RunPlaceOptions } from "./place-run.ts"
import { writeRunRecord, type RunRecord } from "./run-record.ts"

/** No process has this number: it is beyond what systems give. */
const NOBODY = 2 ** 30
/** The first process of the machine outlives us. */
const SOMEBODY = 1

let folder: TemporaryFolder
beforeEach(() => {
  folder = makeTemporaryFolder()
  return () => folder[Symbol.dispose]()
})

const options = (over: Partial<RunPlaceOptions> = {}): RunPlaceOptions => {
  const dataFolder = join(folder.path, "runs")
  return { out: undefined, dataFolder, name: "n", digest: "d", now: 0, fresh: false, ...over }
}

async function interrupt(over: Partial<RunRecord> = {}): Promise<string> {
  const place = await prepareRunPlace(undefined, options())
  const record = {
    id: "eval-1",
    digest: "d",
    status: "RUNNING",
    attempt: 1,
    pid: NOBODY,
    file: null,
    overrides: {},
  } as const
  await writeRunRecord(place.folder, { ...record, created_at: 0, ...over })
  return place.folder
}

describe("the folder of a run", () => {
  it("is named after the run and its time, and two of one second are two", async () => {
    const [first, second] = [await interrupt(), await interrupt()]
    expect(first).toBe(join(folder.path, "runs", "n-19700101-000000"))
    expect(second).toBe(`${first}-2`)
    expect(existsSync(join(folder.path, "runs", ".gitignore"))).toBe(true)
  })

  it("is that of the last interrupted run of the same thing", async () => {
    await interrupt()
    const last = await interrupt()
    expect(await findRunPlace(options())).toMatchObject({ folder: last, before: { id: "eval-1" } })
    expect(await findRunPlace(options({ fresh: true }))).toBeUndefined()
    expect(await findRunPlace(options({ digest: "another" }))).toBeUndefined()
  })

  it.each([{ status: "COMPLETED" }, { status: "FAILED" }, { pid: SOMEBODY }] as const)(
    "is a new one after a run with %j",
    async (over) => {
      await interrupt(over)
      expect(await findRunPlace(options())).toBeUndefined()
    },
  )

  it("is the one that is named, if nobody else writes there and nothing else lies there", async () => {
    const out = join(folder.path, "out")
    expect(await findRunPlace(options({ out }))).toEqual({ folder: out })
    const busy = await interrupt({ pid: SOMEBODY })
    await expect(findRunPlace(options({ out: busy }))).rejects.toMatchObject({ code: "path_conflict" })
    folder.write("project/config/production.json", "{}")
    const project = findRunPlace(options({ out: join(folder.path, "project") }))
    await expect(project).rejects.toMatchObject({ code: "path_conflict", message: expect.stringContaining("'config'") })
  })

  it("loses what an earlier run left, and nothing else", async () => {
    const out = await interrupt({ status: "COMPLETED" })
    folder.write(`runs/n-19700101-000000/journal.jsonl`, "rows of another run")
    folder.write(`runs/n-19700101-000000/notes.txt`, "mine")
    await prepareRunPlace(await findRunPlace(options({ out })), options({ out }))
    expect([existsSync(join(out, "journal.jsonl")), existsSync(join(out, "notes.txt"))]).toEqual([false, true])
  })
})
