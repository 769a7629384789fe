import { mkdir, readdir, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { makeTestFolder } from "../../testing/make-test-folder.ts"
import { sweepTemporaryFiles } from "./sweep-temporary-files.ts"

async function put(root: string, path: string, mtime: number): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), "x")
  await utimes(join(root, path), mtime, mtime)
}

describe("sweepTemporaryFiles", () => {
  it(
    "removes old temporary files in every folder, and nothing else",
    verifies("files.upload.temporary-swept"),
    async () => {
      const root = await makeTestFolder()
      await put(root, ".assay-tmp-old", 1000)
      await put(root, "a/b/.assay-tmp-old", 1000)
      await put(root, "a/.assay-tmp-new", 3000)
      // Created after the moment, with the time of the last tick before it.
      await put(root, "a/.assay-tmp-tick", 1999.995)
      await put(root, "c/file", 1000)
      await put(root, "c/.assay-tmp-old", 1000)
      expect(await sweepTemporaryFiles(root, { olderThan: 2_000_000 })).toBe(3)
      expect((await readdir(root, { recursive: true })).toSorted()).toEqual([
        "a",
        "a/.assay-tmp-new",
        "a/.assay-tmp-tick",
        "c",
        "c/file",
      ])
    },
  )

  it("finds nothing if there is no folder, and can be aborted", async () => {
    const root = await makeTestFolder()
    expect(await sweepTemporaryFiles(join(root, "missing"), { olderThan: 1 })).toBe(0)
    const signal = AbortSignal.abort(new Error("no time"))
    await expect(sweepTemporaryFiles(root, { olderThan: 1, signal })).rejects.toThrow("no time")
  })
})
