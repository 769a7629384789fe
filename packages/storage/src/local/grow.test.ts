import { createHash } from "node:crypto"
import { lstatSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { verifies, watchSyncs } from "@assay/testkit"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import type { GrownFile, GrowOptions, Storage } from "../storage.ts"
import { codeOf, readAll } from "../testing/ask.ts"
import { makeTestFolder } from "../testing/make-test-folder.ts"
import { inPieces, sampleBytes } from "../testing/sample-bytes.ts"
import { openLocalStorage } from "./open.ts"
import { createContentChecks } from "./verifying/content-checks.ts"

const PIECE = parseFilePath("pieces/one")
const FILE = parseFilePath("folder/file")
const MIB = 1_048_576
const content = Buffer.from(sampleBytes(5 * MIB + 3))
const sha256 = createHash("sha256").update(content).digest("hex")

let root: string
let storage: Storage
beforeEach(async () => {
  root = await makeTestFolder()
  storage = openLocalStorage({ type: "local", path: root })
})

function grow(options: Partial<GrowOptions> = {}, bytes = inPieces(content)): Promise<GrownFile> {
  const defaults = { every: 2 * MIB, isDue: () => false, onDurable: async () => {} }
  if (storage.grow === undefined) throw new Error("A local storage can grow files.")
  return storage.grow(PIECE, bytes, { ...defaults, ...options })
}

describe("a file that grows", () => {
  it("has its name and its bytes on the disk before they are reported", verifies("files.upload.durable"), async () => {
    const syncs = await watchSyncs()
    const sizes: number[] = []
    const grown = await grow({
      async onDurable(size) {
        sizes.push(size)
        expect(syncs.paths()).toEqual(expect.arrayContaining([join(root, PIECE), join(root, "pieces")]))
        const found = await readFile(join(root, PIECE))
        expect(found.subarray(0, size).equals(content.subarray(0, size))).toBe(true)
      },
    })
    expect(grown).toEqual({ size: content.length, sha256, location: join(root, PIECE) })
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect([sizes.length > 1, sizes.at(-1)]).toEqual([true, content.length])
  })

  it("is reported as soon as it is due, however few bytes it has", async () => {
    const sizes: number[] = []
    await grow(
      { isDue: () => sizes.length === 0, onDurable: async (size) => void sizes.push(size) },
      inPieces(Buffer.from("abcd"), 1),
    )
    expect(sizes[0]).toBeLessThanOrEqual(4)
    expect(sizes.at(-1)).toBe(4)
  })

  it("keeps its reported bytes after an error, and is gone if none were reported", async () => {
    const error = new Error("no record")
    let calls = 0
    const refuse = async () => {
      if ((calls += 1) > 1) throw error
    }
    await expect(grow({ onDurable: refuse })).rejects.toBe(error)
    const kept = await readAll(storage, PIECE)
    expect(content.subarray(0, 2 * MIB).equals(kept.subarray(0, 2 * MIB))).toBe(true)
    await storage.delete(PIECE)
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("abc")
      throw error
    }
    await expect(grow({}, broken())).rejects.toBe(error)
    expect(await readdir(join(root, "pieces")).catch(() => [])).toEqual([])
  })

  it("never replaces a file", async () => {
    await storage.write(PIECE, inPieces(Buffer.from("old")))
    expect(await codeOf(grow())).toBe("path_conflict")
    expect((await readAll(storage, PIECE)).toString()).toBe("old")
  })
})

describe("a write of a file that has grown", () => {
  it("takes over the file, with its digest, and reads no bytes", async () => {
    const { ino } = await stat((await grow()).location)
    const grown = { size: content.length, sha256, location: join(root, PIECE) }
    async function* unread(): AsyncGenerator<Uint8Array> {
      yield await Promise.reject(new Error("read"))
    }
    const target = openLocalStorage({ type: "local", path: join(root, "target") })
    expect(await target.write(FILE, unread(), { grown, sha256 })).toMatchObject({ size: content.length, sha256 })
    expect((await stat(join(root, "target", FILE))).ino).toBe(ino)
    expect(content.equals(await readAll(target, FILE))).toBe(true)
    await storage.delete(PIECE)
    expect(content.equals(await readAll(target, FILE))).toBe(true)
  })

  it("counts as verified if it is large, also when its former name is deleted", async () => {
    const checks = createContentChecks({ now: Date.now, onDamage: () => {} })
    onTestFinished(() => checks.close())
    storage = openLocalStorage({ type: "local", path: root }, { checks, durable: false })
    const grown = await grow({}, inPieces(Buffer.alloc(65 * MIB), MIB))
    await storage.write(FILE, inPieces(content), { grown })
    const isVerified = () => {
      const stats = lstatSync(join(root, FILE), { bigint: true })
      return checks.begin({ root, path: FILE, stats, sha256: grown.sha256 }) === undefined
    }
    expect(isVerified()).toBe(true)
    await storage.delete(PIECE)
    expect(isVerified()).toBe(true)
  })

  it("leaves both files as they are if it is refused", async () => {
    await storage.write(FILE, inPieces(Buffer.from("old")))
    const grown = await grow()
    const wrong = "0".repeat(64)
    expect(await codeOf(storage.write(FILE, inPieces(content), { grown, sha256: wrong }))).toBe("checksum_mismatch")
    expect(await codeOf(storage.write(FILE, inPieces(content), { grown, ifNoneMatch: "*" }))).toBe(
      "precondition_failed",
    )
    expect((await readAll(storage, FILE)).toString()).toBe("old")
    expect(content.equals(await readAll(storage, PIECE))).toBe(true)
    await storage.write(FILE, inPieces(content), { grown })
    expect((await storage.stat(FILE)).sha256).toBe(sha256)
  })

  it("copies the bytes to another file system", async () => {
    const other = await mkdtemp("/dev/shm/assay-grow-").catch(() => undefined)
    if (other === undefined || (await stat(other)).dev === (await stat(root)).dev) return
    onTestFinished(() => rm(other, { recursive: true }))
    await mkdir(other, { recursive: true })
    const grown = await grow()
    const target = openLocalStorage({ type: "local", path: other })
    await target.write(FILE, inPieces(content), { grown, sha256 })
    expect(content.equals(await readAll(target, FILE))).toBe(true)
    expect(content.equals(await readAll(storage, PIECE))).toBe(true)
  })
})
