import { isAssayError } from "@assay/schemas"
import { expect, it } from "vitest"
import { verifies } from "./verifies.ts"
import type { ByteRange } from "../byte-range.ts"
import { parseFilePath } from "../file-path.ts"
import { asListed, codeOf, openFor, readAll } from "./ask.ts"
import type { StorageContract } from "./contract-subject.ts"
import { sampleBytes } from "./sample-bytes.ts"

const TEN = sampleBytes(10)

const SATISFIABLE: readonly (readonly [string, ByteRange, number, number])[] = [
  ["a range in the middle", { kind: "from", start: 2, end: 5 }, 2, 5],
  ["one byte", { kind: "from", start: 0, end: 0 }, 0, 0],
  ["from a byte to the end", { kind: "from", start: 7 }, 7, 9],
  ["the last bytes", { kind: "suffix", length: 3 }, 7, 9],
  ["all of a file shorter than the suffix", { kind: "suffix", length: 11 }, 0, 9],
  ["to the end for an end past the file", { kind: "from", start: 4, end: 100 }, 4, 9],
]

const UNSATISFIABLE: readonly (readonly [string, ByteRange, string])[] = [
  ["a start past the end", { kind: "from", start: 10 }, "bytes=10-"],
  ["an empty suffix", { kind: "suffix", length: 0 }, "bytes=-0"],
  ["a malformed range", { kind: "malformed", header: "bytes=five-" }, "bytes=five-"],
]

/** Tests of reading whole files and parts of them. */
export function describeReads(contract: StorageContract): void {
  it("return a whole file with the same description as stat and list", async () => {
    const { storage } = await openFor(contract, { "a.bin": TEN })
    const { file, range, bytes } = await storage.read(parseFilePath("a.bin"))
    expect(Buffer.concat(await Array.fromAsync(bytes))).toEqual(Buffer.from(TEN))
    expect(file).toMatchObject({ path: "a.bin", size: 10 })
    expect(range).toBeUndefined()
    expect(await storage.stat(parseFilePath("a.bin"))).toEqual(file)
    expect(await Array.fromAsync(storage.list())).toEqual([asListed(contract, file)])
  })

  it("return an empty file", async () => {
    const { storage } = await openFor(contract, { empty: new Uint8Array() })
    expect(await readAll(storage, "empty")).toHaveLength(0)
    expect(await storage.stat(parseFilePath("empty"))).toMatchObject({ size: 0 })
  })

  it("fail with not_found for a missing file and for a folder", verifies("files.path.folder"), async () => {
    const { storage } = await openFor(contract, { "folder/file": TEN })
    for (const path of ["missing", "folder", "folder/missing", "folder/file/below"].map(parseFilePath)) {
      expect(await codeOf(storage.stat(path)), path).toBe("not_found")
      expect(await codeOf(storage.read(path)), path).toBe("not_found")
    }
  })

  it.runIf(contract.capabilities.rangedRead).each(SATISFIABLE)(
    "return the range %s",
    verifies("files.download.range", "files.download.range-end-clamped"),
    async (_title, range, start, end) => {
      const { storage } = await openFor(contract, { file: TEN })
      const result = await storage.read(parseFilePath("file"), { range })
      expect(result.range).toEqual({ start, end })
      expect(Buffer.concat(await Array.fromAsync(result.bytes))).toEqual(Buffer.from(TEN.subarray(start, end + 1)))
    },
  )

  it.runIf(contract.capabilities.rangedRead).each(UNSATISFIABLE)(
    "refuse the range %s",
    verifies("files.download.range-past-end", "files.download.empty-suffix", "files.download.range-unreadable"),
    async (_title, range, header) => {
      const { storage } = await openFor(contract, { file: TEN })
      const error = await storage.read(parseFilePath("file"), { range }).catch((caught: unknown) => caught)
      expect(isAssayError(error, "range_not_satisfiable") && error.context).toMatchObject({ size: 10 })
      expect(error).toHaveProperty("message", `Invalid range: ${header}`)
    },
  )

  it.runIf(contract.capabilities.rangedRead)(
    "refuse any range of an empty file",
    verifies("files.download.range-of-empty-file"),
    async () => {
      const { storage } = await openFor(contract, { empty: new Uint8Array() })
      const ranges: ByteRange[] = [
        { kind: "from", start: 0 },
        { kind: "suffix", length: 1 },
      ]
      for (const range of ranges) {
        expect(await codeOf(storage.read(parseFilePath("empty"), { range }))).toBe("range_not_satisfiable")
      }
    },
  )

  it("return a strong ETag that is derived from the content", async () => {
    const { storage } = await openFor(contract, { a: TEN, b: sampleBytes(10, 2) })
    const [a, b] = await Array.fromAsync(storage.list())
    expect(a?.etag === null || /^"[\x21\x23-\x7e]+"$/.test(a?.etag ?? "")).toBe(true)
    expect(a?.etag === null || a?.etag !== b?.etag).toBe(true)
  })
}
