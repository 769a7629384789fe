import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeTemporaryFolder } from "../../../testing/temporary-folder.ts"
import { findLocalDataset, openLocalDataset } from "./open-local-dataset.ts"

const folder = makeTemporaryFolder()
beforeAll(() => {
  for (const path of [
    "rows.csv",
    "data/b.jsonl",
    "data/a.csv.gz",
    "data/notes.txt",
    "data/deep/c.parquet",
    "odd[1].csv",
  ]) {
    folder.write(path, path)
  }
})
afterAll(() => folder[Symbol.dispose]())

const base = () => ({ folder: folder.path, home: folder.path, digests: new Map<string, string>() })

describe("rows of this machine", () => {
  it.each([
    ["./rows.csv", ["rows.csv"]],
    ["./data", ["a.csv.gz", "b.jsonl", "deep/c.parquet"]],
    ["./data/*", ["a.csv.gz", "b.jsonl"]],
    ["./data/**/*.parquet", ["deep/c.parquet"]],
    ["~/rows.csv", ["rows.csv"]],
    ["./odd[1].csv", ["odd[1].csv"]],
  ])("are what %j names: a file, a folder or a glob", async (written, paths) => {
    expect((await findLocalDataset(written, base())).paths).toEqual(paths)
  })

  it("are pinned by their SHA-256, and read for it once", async () => {
    const own = base()
    const { pin } = await openLocalDataset("./rows.csv", own)
    expect(pin).toMatchObject({ files_url: "./rows.csv", fileset: folder.path })
    expect(pin.files[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
    for (const key of own.digests.keys()) own.digests.set(key, "remembered")
    expect((await openLocalDataset("./rows.csv", own)).pin.files[0]?.sha256).toBe("remembered")
  })

  it("that are not there are told with what is near", async () => {
    const missing = findLocalDataset("./row.csv", base())
    await expect(missing).rejects.toMatchObject({
      code: "dataset_missing",
      message: expect.stringMatching(/Dataset \.\/row\.csv is not present on datastore.*'rows\.csv'/),
    })
    await expect(findLocalDataset("./none/at/all.csv", base())).rejects.toMatchObject({ code: "dataset_missing" })
  })
})
