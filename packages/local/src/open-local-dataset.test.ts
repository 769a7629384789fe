import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { findLocalDataset, openLocalDataset } from "./open-local-dataset.ts"

const folder = mkdtempDisposableSync(join(tmpdir(), "assay-rows-"))
beforeAll(() => {
  for (const path of [
    "rows.csv",
    "data/b.jsonl",
    "data/a.csv.gz",
    "data/notes.txt",
    "data/deep/c.parquet",
    "odd[1].csv",
  ]) {
    const file = join(folder.path, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, path)
  }
})
afterAll(() => folder.remove())

const base = () => ({ folder: folder.path, home: folder.path, digests: new Map<string, string>() })

describe("a local dataset", () => {
  it.each([
    ["./rows.csv", ["rows.csv"]],
    ["./data", ["a.csv.gz", "b.jsonl", "deep/c.parquet"]],
    ["./data/*", ["a.csv.gz", "b.jsonl"]],
    ["./data/**/*.parquet", ["deep/c.parquet"]],
    ["~/rows.csv", ["rows.csv"]],
    ["./odd[1].csv", ["odd[1].csv"]],
  ])("%j opens a file, a folder or a glob", async (written, paths) => {
    expect((await findLocalDataset(written, base())).paths).toEqual(paths)
  })

  it("has the SHA-256 of each file in its pin, and reads each file for it only once", async () => {
    const own = base()
    const { pin } = await openLocalDataset("./rows.csv", own)
    expect(pin).toMatchObject({ files_url: "./rows.csv", fileset: folder.path })
    expect(pin.files[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
    for (const key of own.digests.keys()) own.digests.set(key, "remembered")
    expect((await openLocalDataset("./rows.csv", own)).pin.files[0]?.sha256).toBe("remembered")
  })

  it("that does not exist fails with dataset_missing and the names of similar files", async () => {
    const missing = findLocalDataset("./row.csv", base())
    await expect(missing).rejects.toMatchObject({
      code: "dataset_missing",
      message: expect.stringMatching(
        /^Rows '\.\/row\.csv' can't be read: no file with rows is at 'row\.csv'; near it: 'rows\.csv'\.$/,
      ),
    })
    await expect(findLocalDataset("./none/at/all.csv", base())).rejects.toMatchObject({ code: "dataset_missing" })
  })
})
