import fs, { existsSync, fstatSync } from "node:fs"
import { open, type FileHandle } from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { join } from "node:path"
import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { runStorageScript } from "../testing/run-storage-script.ts"
import { inPieces, sampleBytes } from "../testing/sample-bytes.ts"
import { makeTestFolder } from "../testing/make-test-folder.ts"
import { openLocalStorage } from "./open.ts"

/** Records calls of a method of all file handles. */
async function watch(folder: string, method: "sync" | "writev", look: (handle: FileHandle, args: unknown[]) => void) {
  const handle = await open(folder)
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const original = prototype[method]
  Object.defineProperty(prototype, method, {
    configurable: true,
    value(this: FileHandle, ...args: unknown[]) {
      look(this, args)
      return Reflect.apply(original, this, args)
    },
  })
  onTestFinished(() => void Object.defineProperty(prototype, method, { configurable: true, value: original }))
}

/** Records what is synced by a handle or by its descriptor. */
async function watchSyncs(folder: string, look: (fd: number) => void) {
  await watch(folder, "sync", ({ fd }) => look(fd))
  const { fsync } = fs
  const replace = (by: unknown) => {
    Object.defineProperty(fs, "fsync", { configurable: true, writable: true, value: by })
    syncBuiltinESMExports()
  }
  replace((fd: number, done: fs.NoParamCallback) => {
    look(fd)
    fsync(fd, done)
  })
  onTestFinished(() => replace(fsync))
}

describe("a write to local storage", () => {
  it(
    "syncs the file before it gets its name, and each folder after a name was created in it",
    verifies("files.upload.durable"),
    async () => {
      const root = await makeTestFolder()
      const events: string[] = []
      await watchSyncs(root, (fd) => {
        const what = fstatSync(fd).isDirectory() ? "folder" : "file"
        events.push(`${what}, ${existsSync(join(root, "a/b/file")) ? "named" : "unnamed"}`)
      })
      const storage = openLocalStorage({ type: "local", path: root })
      await storage.write(parseFilePath("a/b/file"), inPieces(sampleBytes(10)))
      expect(events).toEqual(["folder, unnamed", "folder, unnamed", "file, unnamed", "folder, named"])
    },
  )

  it("syncs nothing if it need not be durable", async () => {
    const root = await makeTestFolder()
    let syncs = 0
    await watchSyncs(root, () => syncs++)
    const storage = openLocalStorage({ type: "local", path: root }, { durable: false })
    await storage.write(parseFilePath("a/b/file"), inPieces(sampleBytes(10)))
    expect(syncs).toBe(0)
  })

  it("reaches the disk in pieces of write_buffer_size and a rest", verifies("files.upload.write-buffer"), async () => {
    const root = await makeTestFolder()
    const sizes: number[] = []
    await watch(root, "writev", (_handle, [pieces]) => {
      if (!Array.isArray(pieces)) throw new Error("There are no pieces.")
      sizes.push(Buffer.concat(pieces).byteLength)
    })
    const storage = openLocalStorage({ type: "local", path: root, write_buffer_size: 6000 })
    await storage.write(parseFilePath("file"), inPieces(sampleBytes(20_000), 500))
    expect(sizes).toEqual([6000, 6000, 6000, 2000])
  })

  it("uses flat memory for a file of any size", verifies("files.upload.bounded-memory"), async () => {
    const root = await makeTestFolder()
    const script = `
      const storage = openLocalStorage({ type: "local", path: process.argv[1] }, { durable: false })
      async function* bytes(count) { for (let sent = 0; sent < count; sent += 65_536) yield Buffer.alloc(65_536, sent) }
      await storage.write(parseFilePath("file"), bytes(33_554_432))
      const before = process.resourceUsage().maxRSS
      await storage.write(parseFilePath("file"), bytes(268_435_456))
      const { bytes: pieces } = await storage.read(parseFilePath("file"))
      let read = 0
      for await (const piece of pieces) read += piece.byteLength
      console.log(JSON.stringify({ read, grown: process.resourceUsage().maxRSS - before }))
    `
    const { read, grown } = JSON.parse(await runStorageScript(script, [root]).output)
    expect(read).toBe(268_435_456)
    // In KiB: half of the file. Holding the file in memory would take all of it.
    expect(grown).toBeLessThan(131_072)
  })
})
