import { mkdir, open, readdir, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { STORAGE_CAPABILITIES } from "../storage.ts"
import { aFewAtATime, codeOf, writeAll, writeFiles } from "../testing/ask.ts"
import type { ContractSubject } from "../testing/contract-subject.ts"
import { countOpenBelow } from "../testing/count-open-below.ts"
import { describeStorageContract } from "../testing/describe-storage-contract.ts"
import { makeTestFolder } from "../testing/make-test-folder.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { openLocalStorage } from "./open.ts"

const SIZES = { read_chunk_size: 4000, write_buffer_size: 6000 }

async function putFile(root: string, path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), bytes)
}

/** Overwrites bytes in place and changes the time, as a careless editor does. */
async function tamper(file: string): Promise<void> {
  const handle = await open(file, "r+")
  const { size } = await handle.stat()
  await handle.write(sampleBytes(size, 99), 0, size, 0)
  await handle.close()
  await utimes(file, 1, 1)
}

function subjectAt(root: string, shared: boolean): ContractSubject {
  return {
    storage: openLocalStorage({ type: "local", path: root, ...SIZES }, { durable: !shared }),
    readChunkSize: SIZES.read_chunk_size,
    tamper: (path) => tamper(join(root, path)),
    countOpenReads: async () => (await countOpenBelow(root)) ?? 0,
    close: async () => {},
  }
}

describeStorageContract("local storage with files of other programs", {
  capabilities: STORAGE_CAPABILITIES.local,
  async open(files) {
    const root = await makeTestFolder()
    await aFewAtATime(Object.entries(files), ([path, bytes]) => putFile(root, path, bytes))
    return subjectAt(root, true)
  },
})

describeStorageContract("local storage with files of its own", {
  capabilities: STORAGE_CAPABILITIES.local,
  async open(files) {
    const root = join(await makeTestFolder(), "made/by/the/first/write")
    const subject = subjectAt(root, false)
    const entries = Object.entries(files)
    await writeFiles(subject.storage, Object.fromEntries(entries.slice(0, 100)))
    // Write most of a large number of files directly.
    await aFewAtATime(entries.slice(100), ([path, bytes]) => putFile(root, path, bytes))
    return subject
  },
})

describe("openLocalStorage", () => {
  it("accesses nothing until the first write, which creates the folder", async () => {
    const parent = await makeTestFolder()
    const storage = openLocalStorage({ type: "local", path: join(parent, "a/b") })
    expect(await codeOf(storage.stat(parseFilePath("file")))).toBe("not_found")
    expect(await Array.fromAsync(storage.list())).toEqual([])
    await storage.delete(parseFilePath("file"))
    expect(await readdir(parent)).toEqual([])
    await writeAll(storage, "file", sampleBytes(3))
    expect(await readdir(join(parent, "a/b"))).toEqual(["file"])
  })

  it("refuses a relative path", () => {
    expect(() => openLocalStorage({ type: "local", path: "data" })).toThrow("absolute path, not 'data'")
  })
})
