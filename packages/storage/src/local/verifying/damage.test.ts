import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import type { BigIntStats } from "node:fs"
import { open, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../../file-path.ts"
import type { Storage } from "../../storage.ts"
import { codeOf, readAll, writeAll } from "../../testing/ask.ts"
import { makeTestFolder } from "../../testing/make-test-folder.ts"
import { sampleBytes } from "../../testing/sample-bytes.ts"
import { openLocalStorage } from "../open.ts"
import { createContentChecks, type Damage } from "./content-checks.ts"

const FILE = parseFilePath("folder/file")
const HOUR = 3_600_000
const MIB = 1_048_576
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

let root: string
let now: number
let storage: Storage
let damages: Damage[]
beforeEach(async () => {
  root = await makeTestFolder()
  now = Date.now()
  damages = []
  const checks = createContentChecks({ now: () => now, onDamage: (damage) => damages.push(damage) })
  onTestFinished(() => checks.close())
  storage = openLocalStorage({ type: "local", path: root }, { checks, durable: false })
})

/** Flips one bit and restores the old time, so that neither size nor modification time shows it. */
async function rot(position: number): Promise<void> {
  const path = join(root, FILE)
  const reference = join(await makeTestFolder(), "reference")
  await writeFile(reference, "")
  expect(spawnSync("touch", ["-r", path, reference]).status).toBe(0)
  const handle = await open(path, "r+")
  const byte = Buffer.alloc(1)
  await handle.read(byte, 0, 1, position)
  byte[0] = (byte[0] ?? 0) ^ 1
  await handle.write(byte, 0, 1, position)
  await handle.close()
  expect(spawnSync("touch", ["-r", reference, path]).status).toBe(0)
}

describe("a file whose bytes changed on the disk", () => {
  it.each([
    ["if it has a few bytes", 10],
    ["if it has one piece", 300_000],
  ])("is refused before any of it is read %s", verifies("files.download.damage"), async (_, size) => {
    const written = await writeAll(storage, FILE, sampleBytes(size))
    expect(sha256(await readAll(storage, FILE))).toBe(written.sha256)
    await rot(size - 1)
    for (const _again of [1, 2]) expect(await codeOf(storage.read(FILE))).toBe("content_damaged")
    await expect(storage.read(FILE)).rejects.toThrow("'folder/file'")
    expect(damages[0]).toEqual({
      root,
      path: FILE,
      expected: written.sha256,
      found: expect.not.stringMatching(written.sha256 ?? ""),
    })
  })

  it("fails before its last piece if it has many pieces", verifies("files.download.damage"), async () => {
    const size = 5 * MIB + 10
    await writeAll(storage, FILE, sampleBytes(size))
    await rot(100)
    const { bytes, release } = await storage.read(FILE)
    let read = 0
    const reading = (async () => {
      for await (const piece of bytes) {
        read += piece.byteLength
        release?.(piece)
      }
    })()
    expect(await codeOf(reading)).toBe("content_damaged")
    expect(read).toBe(5 * MIB)
  })

  it("loses its digest and gets another ETag once the damage is known", verifies("files.download.damage"), async () => {
    const { etag, sha256: digest } = await writeAll(storage, FILE, sampleBytes(10))
    await rot(3)
    expect(await storage.stat(FILE)).toMatchObject({ etag, sha256: digest })
    expect(await codeOf(storage.read(FILE))).toBe("content_damaged")
    const looked = [await storage.stat(FILE), ...(await Array.fromAsync(storage.list()))]
    for (const file of looked) {
      expect(file.sha256).toBeNull()
      expect(file.etag).not.toBe(etag)
    }
    expect(await codeOf(writeAll(storage, FILE, sampleBytes(10), { ifMatch: etag ?? "" }))).toBe("precondition_failed")
  })

  it(
    "is correct again after it was written, or restored with its old time",
    verifies("files.download.damage"),
    async () => {
      const { sha256: digest } = await writeAll(storage, FILE, sampleBytes(10))
      await rot(3)
      expect(await codeOf(storage.read(FILE))).toBe("content_damaged")
      await rot(3)
      expect(sha256(await readAll(storage, FILE))).toBe(digest)
      await rot(3)
      expect(await codeOf(storage.read(FILE))).toBe("content_damaged")
      await writeAll(storage, FILE, sampleBytes(10))
      expect(sha256(await readAll(storage, FILE))).toBe(digest)
      expect(await storage.stat(FILE)).toMatchObject({ sha256: digest })
    },
  )

  it("is not verified if only a part is read or another program wrote it", async () => {
    await writeAll(storage, FILE, sampleBytes(10))
    await rot(3)
    expect(await readAll(storage, FILE, { range: { kind: "from", start: 0 } })).toHaveLength(10)
    await writeFile(join(root, FILE), "of others")
    expect((await readAll(storage, FILE)).toString()).toBe("of others")
  })
})

describe("an undamaged file", () => {
  it.each([0, 1, 65_536, 65_537, MIB, MIB + 1, 7 * MIB + 3])(
    "gives its %d bytes unchanged to readers that release pieces and to those that keep them",
    async (size) => {
      const content = sampleBytes(size)
      await writeAll(storage, FILE, content)
      const readers = Array.from({ length: 4 }, async (_, reader) => {
        const { bytes, release } = await storage.read(FILE)
        const hash = createHash("sha256")
        for await (const piece of bytes) {
          hash.update(piece)
          if (reader % 2 === 0) release?.(piece)
        }
        return hash.digest("hex")
      })
      expect(new Set(await Promise.all(readers))).toEqual(new Set([sha256(content)]))
      expect(sha256(await readAll(storage, FILE))).toBe(sha256(content))
    },
  )

  it("can end at any piece, or never start, and the next reader still gets every byte", async () => {
    const content = sampleBytes(6 * MIB)
    await writeAll(storage, FILE, content)
    for (const pieces of [0, 1, 3]) {
      const { bytes } = await storage.read(FILE)
      const iterator = bytes[Symbol.asyncIterator]()
      for (let piece = 0; piece < pieces; piece++) await iterator.next()
      await iterator.return?.()
    }
    const aborting = new AbortController()
    const { bytes } = await storage.read(FILE, { signal: aborting.signal })
    const iterator = bytes[Symbol.asyncIterator]()
    await iterator.next()
    aborting.abort(new Error("enough"))
    await expect(iterator.next()).rejects.toThrow("enough")
    expect(sha256(await readAll(storage, FILE))).toBe(sha256(content))
  })
})

describe("a file of more than 64 MiB", () => {
  const stats = { dev: 1n, ino: 2n, size: BigInt(65 * MIB), mtimeNs: 3n, ctimeNs: 4n } as BigIntStats
  const known = { root: "/root", path: FILE, sha256: "a" }

  it("is verified once a day, and after any change to it", async () => {
    const checks = createContentChecks({ now: () => now, onDamage: () => {} })
    expect(checks.begin({ ...known, stats })).toBeDefined()
    checks.note(stats.size, () => stats)
    expect(checks.begin({ ...known, stats })).toBeUndefined()
    for (const change of [{ ino: 9n }, { size: BigInt(66 * MIB) }, { mtimeNs: 9n }, { ctimeNs: 9n }]) {
      expect(checks.begin({ ...known, stats: { ...stats, ...change } })).toBeDefined()
    }
    now += 24 * HOUR - 1
    expect(checks.begin({ ...known, stats })).toBeUndefined()
    now += 1
    expect(checks.begin({ ...known, stats })).toBeDefined()
    await checks.close()
  })

  it(
    "is found damaged even if it was just written, because other writes are visible",
    verifies("files.download.damage"),
    async () => {
      const size = 65 * MIB
      await writeAll(storage, FILE, sampleBytes(size))
      await rot(50 * MIB)
      const reading = (async () => {
        const { bytes, release } = await storage.read(FILE)
        for await (const piece of bytes) release?.(piece)
      })()
      expect(await codeOf(reading)).toBe("content_damaged")
    },
  )
})
