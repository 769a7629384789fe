import { createHash } from "node:crypto"
import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { readArchive, readRecord } from "../testing/read-archive.ts"
import { streamArchive, type ArchiveFile } from "./stream-archive.ts"
import { directoryRecord, endRecords } from "./zip-records.ts"

const MTIME = Date.UTC(2026, 10, 20, 17, 30, 58)

function file(path: string, pieces: readonly Uint8Array[], more: Partial<ArchiveFile> = {}): ArchiveFile {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return {
    path,
    size,
    mtime: MTIME,
    async *open() {
      yield* pieces
    },
    ...more,
  }
}
async function archiveOf(...files: readonly ArchiveFile[]): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(streamArchive(files)))
}

describe("an archive", () => {
  it("contains every file with its checksum, size, name and time", verifies("results.archive"), async () => {
    const archive = await archiveOf(
      file("config/job.json", [Buffer.from("123"), Buffer.from("456789")]),
      file("results/größe.log", []),
    )
    expect(readArchive(archive)).toEqual([
      {
        path: "config/job.json",
        bytes: Buffer.from("123456789"),
        size: 9,
        mtime: "2026-11-20 17:30:58",
        isZip64: false,
      },
      { path: "results/größe.log", bytes: Buffer.alloc(0), size: 0, mtime: "2026-11-20 17:30:58", isZip64: false },
    ])
    // The check value of CRC-32.
    expect(archive.readUInt32LE(archive.indexOf("PK\u0001\u0002") + 16)).toBe(0xcbf43926)
  })

  it("unpacks to the same bytes for any pieces, whether the size is known or not", async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 })
    const files = fc.array(fc.record({ path: fc.stringMatching(/^[a-zä😀/ ]{1,20}$/u), pieces, known: fc.boolean() }))
    await fc.assert(
      fc.asyncProperty(files, async (given) => {
        const archive = await archiveOf(
          ...given.map(({ path, pieces, known }) => {
            const { size, ...unknown } = file(path, pieces)
            return known ? { ...unknown, ...(size === undefined ? {} : { size }) } : unknown
          }),
        )
        expect(readArchive(archive).map(({ path, bytes, isZip64 }) => [path, bytes, !isZip64])).toEqual(
          given.map(({ path, pieces, known }) => [path, Buffer.concat(pieces), known]),
        )
      }),
      { numRuns: 50 },
    )
  })

  it("writes sizes and offsets above 4 GiB in Zip64", verifies("results.archive"), () => {
    const name = Buffer.from("results/rows.jsonl")
    const [size, offset] = [5_000_000_000, 6_000_000_000]
    const record = directoryRecord({ name, mtime: MTIME, crc: 7, size, stored: size + 9, offset })
    expect(readRecord(record, 0)).toMatchObject({
      path: "results/rows.jsonl",
      size,
      stored: size + 9,
      local: offset,
      next: record.length,
    })
    const small = directoryRecord({ name, mtime: MTIME, crc: 7, size: 5, stored: 10, offset })
    expect(readRecord(small, 0)).toMatchObject({ size: 5, stored: 10, local: offset, next: small.length })
    const end = endRecords({ entries: 70_000, size: 100, offset })
    expect(end.readBigUInt64LE(32)).toBe(70_000n)
    expect(end.readBigUInt64LE(48)).toBe(BigInt(offset))
    expect(end.readBigUInt64LE(56 + 8)).toBe(BigInt(offset + 100))
    expect(endRecords({ entries: 1, size: 100, offset: 5 })).toHaveLength(22)
  })

  it(
    "reads files no faster than it is consumed, and yields its first bytes after the first piece",
    verifies("brief.evaluation.download"),
    async () => {
      let read = 0
      const endless = file("rows.jsonl", [], {
        size: 1e9,
        async *open() {
          for (;;) {
            read++
            yield Buffer.alloc(65_536)
          }
        },
      })
      const archive = streamArchive([endless])
      for (let taken = 0; taken < 5; taken++) await archive.next()
      expect(read).toBe(4)
      await archive.return()
    },
  )

  it("closes the file that it reads when the consumer stops", async () => {
    let isOpen = true
    const endless = file("a", [], {
      async *open() {
        try {
          for (;;) yield Buffer.alloc(10)
        } finally {
          isOpen = false
        }
      },
    })
    for await (const piece of streamArchive([endless])) if (piece.length === 15) break
    expect(isOpen).toBe(false)
  })

  it("fails with the error of a file that can't be read, and opens each file only when its turn comes", async () => {
    let opened = 0
    const broken = file("b", [], {
      open() {
        opened++
        return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("gone")) }) }
      },
    })
    const taken: Uint8Array[] = []
    await expect(
      (async () => {
        for await (const piece of streamArchive([file("a", [Buffer.from("x")]), broken, broken])) taken.push(piece)
      })(),
    ).rejects.toThrow("gone")
    expect(opened).toBe(1)
    expect(taken).toHaveLength(4)
  })

  it("stops when its signal aborts", async () => {
    const stop = new AbortController()
    const pieces = Array.from({ length: 3 }, () => Buffer.from("x"))
    const archive = streamArchive([file("a", pieces)], { signal: stop.signal })
    await archive.next()
    stop.abort(new Error("enough"))
    await expect(archive.next()).rejects.toThrow("enough")
  })

  it("has the same bytes for the same files", async () => {
    const digests = await Promise.all(
      [1, 2].map(async () =>
        createHash("sha256")
          .update(await archiveOf(file("a", [Buffer.from("x")])))
          .digest("hex"),
      ),
    )
    expect(digests[0]).toBe(digests[1])
  })

  it("refuses a name that is too long for the format", async () => {
    await expect(archiveOf(file("x".repeat(65_536), []))).rejects.toMatchObject({ code: "bad_path" })
  })
})
