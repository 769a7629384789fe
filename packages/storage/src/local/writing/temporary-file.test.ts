import { once } from "node:events"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseFilePath } from "../../file-path.ts"
import { codeOf, listPaths, readAll, writeAll } from "../../testing/ask.ts"
import { runStorageScript } from "../../testing/run-storage-script.ts"
import { sampleBytes } from "../../testing/sample-bytes.ts"
import { makeTestFolder } from "../../testing/make-test-folder.ts"
import { openLocalStorage } from "../open.ts"
import { sweepTemporaryFiles } from "./sweep-temporary-files.ts"

const ENDLESS_WRITE = `
  const storage = openLocalStorage({ type: "local", path: process.argv[1], write_buffer_size: 1000 })
  async function* endless() {
    for (let sent = 0; ; sent++) {
      if (sent === 20) console.log("under way")
      yield Buffer.alloc(1000, 1)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  await storage.write(parseFilePath("folder/file"), endless())
`

async function put(root: string, path: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), "x")
}

describe("a temporary file", () => {
  it(
    "is in the folder of its file during a write, and is gone afterwards",
    verifies("files.upload.durable"),
    async () => {
      const root = await makeTestFolder()
      const storage = openLocalStorage({ type: "local", path: root }, { newId: () => "one" })
      const seen: string[][] = []
      async function* looking(): AsyncGenerator<Uint8Array> {
        seen.push(await readdir(join(root, "folder")))
        yield sampleBytes(10)
      }
      await storage.write(parseFilePath("folder/file"), looking())
      expect(seen).toEqual([[".assay-tmp-one"]])
      expect(await readdir(join(root, "folder"))).toEqual(["file"])
    },
  )

  it(
    "is never listed, served, replaced or deleted under its name",
    verifies("files.upload.temporary-hidden"),
    async () => {
      const root = await makeTestFolder()
      await put(root, "folder/.assay-tmp-1")
      await put(root, ".assay-tmp-folder/file")
      const storage = openLocalStorage({ type: "local", path: root })
      for (const path of ["folder/.assay-tmp-1", ".assay-tmp-folder/file"]) {
        expect(await codeOf(storage.stat(parseFilePath(path)))).toBe("not_found")
        expect(await codeOf(readAll(storage, path))).toBe("not_found")
        expect(await codeOf(writeAll(storage, path, sampleBytes(3)))).toBe("bad_path")
        await storage.delete(parseFilePath(path))
        expect(await listPaths(storage, { prefix: path })).toEqual([])
      }
      expect(await listPaths(storage)).toEqual([])
      expect(await readdir(join(root, "folder"))).toEqual([".assay-tmp-1"])
    },
  )

  it("gets another name if its own is in use", async () => {
    const root = await makeTestFolder()
    await put(root, ".assay-tmp-0")
    await put(root, ".assay-tmp-1")
    await writeAll(openLocalStorage({ type: "local", path: root }), "file", sampleBytes(3))
    expect((await readdir(root)).toSorted()).toEqual([".assay-tmp-0", ".assay-tmp-1", "file"])
  })

  it(
    "is all that a killed process leaves until it is removed",
    verifies("files.upload.whole", "files.upload.temporary-swept"),
    async () => {
      const root = await makeTestFolder()
      const { child } = runStorageScript(ENDLESS_WRITE, [root])
      if (child.stdout === null) throw new Error("The script has no output.")
      await once(child.stdout, "data")
      child.kill("SIGKILL")
      await once(child, "exit")
      expect(await readdir(join(root, "folder"))).toEqual([".assay-tmp-0"])
      const storage = openLocalStorage({ type: "local", path: root })
      expect(await listPaths(storage)).toEqual([])
      expect(await codeOf(readAll(storage, "folder/file"))).toBe("not_found")
      expect(await sweepTemporaryFiles(root, { olderThan: Date.now() + 60_000 })).toBe(1)
      expect(await readdir(root)).toEqual([])
    },
  )
})
