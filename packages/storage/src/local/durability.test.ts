import fs, { constants, existsSync, fstatSync, readFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { join } from "node:path"
import { platform } from "node:process"
import { verifies, watchSyncs } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { runStorageScript } from "../testing/run-storage-script.ts"
import { inPieces, sampleBytes } from "../testing/sample-bytes.ts"
import { makeTestFolder } from "../testing/make-test-folder.ts"
import { openLocalStorage } from "./open.ts"

function writesThrough(fd: number): boolean {
  const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1] ?? ""
  return (Number.parseInt(flags, 8) & constants.O_SYNC) === constants.O_SYNC
}

/** Calls `look` with the arguments of each call of a function of `node:fs`. */
function watch(name: "fsync" | "writev", look: (fd: number, pieces: unknown) => void) {
  const original = fs[name]
  const replace = (by: unknown) => {
    Object.defineProperty(fs, name, { configurable: true, writable: true, value: by })
    syncBuiltinESMExports()
  }
  replace((fd: number, ...args: unknown[]) => {
    look(fd, args[0])
    return Reflect.apply(original, fs, [fd, ...args])
  })
  onTestFinished(() => replace(original))
}

describe("a write to local storage", () => {
  it(
    "syncs the file before it gets its name, and each folder after a name was created in it",
    verifies("files.upload.durable"),
    async () => {
      const root = await makeTestFolder()
      const events: string[] = []
      watch("fsync", (fd) => {
        const what = fstatSync(fd).isDirectory() ? "folder" : "file"
        events.push(`${what}, ${existsSync(join(root, "a/b/file")) ? "named" : "unnamed"}`)
      })
      const storage = openLocalStorage({ type: "local", path: root })
      await storage.write(parseFilePath("a/b/file"), inPieces(sampleBytes(10)))
      expect(events).toEqual(["folder, unnamed", "folder, unnamed", "file, unnamed", "folder, named"])
    },
  )

  it.runIf(platform === "linux")(
    "waits for the disk within the write if its size is announced and small, and in any case before the file gets its name",
    verifies("files.upload.durable"),
    async () => {
      const root = await makeTestFolder()
      const events: string[] = []
      watch("writev", (fd) => events.push(writesThrough(fd) ? "write through" : "write"))
      watch("fsync", (fd) => events.push(fstatSync(fd).isDirectory() ? "sync folder" : "sync file"))
      const storage = openLocalStorage({ type: "local", path: root, write_buffer_size: 1000 })
      const put = async (bytes: number, size: number) => {
        events.length = 0
        await storage.write(parseFilePath(`${bytes} ${size}`), inPieces(sampleBytes(bytes)), { size })
        return events.join(", ")
      }
      expect(await put(10, 10)).toBe("write through, sync folder")
      expect(await put(0, 0)).toBe("sync file, sync folder")
      expect(await put(0, 10)).toBe("sync file, sync folder")
      expect(await put(1001, 1001)).toBe("write, write, sync file, sync folder")
    },
  )

  it.runIf(platform === "linux")(
    "does not rely on the sync of another write that has just created the same folder",
    verifies("files.upload.durable"),
    async () => {
      const root = await makeTestFolder()
      const storage = openLocalStorage({ type: "local", path: root })
      const syncs = await watchSyncs()
      const release = syncs.hold(root)
      const put = (path: string) => storage.write(parseFilePath(path), inPieces(sampleBytes(10)))
      const first = put("new/one")
      await expect.poll(() => syncs.paths()).toContain(root)
      const count = syncs.paths().length
      await put("new/two")
      expect(syncs.paths().slice(count)).toContain(root)
      release()
      await first
    },
  )

  it("syncs nothing if it need not be durable", async () => {
    const root = await makeTestFolder()
    let syncs = 0
    watch("fsync", () => syncs++)
    const storage = openLocalStorage({ type: "local", path: root }, { durable: false })
    await storage.write(parseFilePath("a/b/file"), inPieces(sampleBytes(10)))
    expect(syncs).toBe(0)
  })

  it(
    "reaches the disk in pieces of write_buffer_size, at most 1 MiB, and a rest",
    verifies("files.upload.write-buffer"),
    async () => {
      const root = await makeTestFolder()
      let sizes: number[] = []
      watch("writev", (_fd, pieces) => {
        if (!Array.isArray(pieces)) throw new Error("There are no pieces.")
        sizes.push(Buffer.concat(pieces).byteLength)
      })
      const storage = openLocalStorage({ type: "local", path: root, write_buffer_size: 6000 })
      await storage.write(parseFilePath("file"), inPieces(sampleBytes(20_000), 500))
      expect(sizes).toEqual([6000, 6000, 6000, 2000])
      sizes = []
      const usual = openLocalStorage({ type: "local", path: root })
      await usual.write(parseFilePath("file"), inPieces(sampleBytes(2_500_000), 65_536))
      expect(sizes).toEqual([1_048_576, 1_048_576, 402_848])
    },
  )

  it("uses flat memory for a file of any size", verifies("files.upload.bounded-memory"), async () => {
    const root = await makeTestFolder()
    const script = `
      const storage = openLocalStorage({ type: "local", path: process.argv[1] }, { durable: false })
      async function* bytes(count) { for (let sent = 0; sent < count; sent += 65_536) yield Buffer.alloc(65_536, sent) }
      await storage.write(parseFilePath("file"), bytes(33_554_432))
      const before = process.resourceUsage().maxRSS
      await storage.write(parseFilePath("file"), bytes(167_772_160))
      const { bytes: pieces } = await storage.read(parseFilePath("file"))
      let read = 0
      for await (const piece of pieces) read += piece.byteLength
      console.log(JSON.stringify({ read, grown: process.resourceUsage().maxRSS - before }))
    `
    const { read, grown } = JSON.parse(await runStorageScript(script, [root]).output)
    expect(read).toBe(167_772_160)
    // In KiB: less than the file, which would be in memory as a whole.
    expect(grown).toBeLessThan(131_072)
  })
})
