import { gzipSync, zstdCompressSync } from "node:zlib"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { collect, pieceSizes, piecesOf } from "../testing/overwritten-pieces.ts"
import { decompress } from "./decompress.ts"

const COMPRESS = { gzip: gzipSync, zstd: zstdCompressSync } as const
const contents = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 5 })

describe.each(["gzip", "zstd"] as const)("decompressing %s", (compression) => {
  const compressed = (parts: readonly Uint8Array[]) => Buffer.concat(parts.map((part) => COMPRESS[compression](part)))

  it("reads all members or frames from pieces of any size", async () => {
    await fc.assert(
      fc.asyncProperty(contents, pieceSizes, async (parts, sizes) => {
        const { bytes, fault } = await collect(decompress(piecesOf(compressed(parts), sizes), compression))
        expect(fault).toBeUndefined()
        expect(bytes.equals(Buffer.concat(parts))).toBe(true)
      }),
    )
  })

  it("returns a fault after the readable bytes if the data is cut short", async () => {
    await fc.assert(
      fc.asyncProperty(contents, pieceSizes, fc.integer({ min: 1, max: 8 }), async (parts, sizes, missing) => {
        const whole = compressed([...parts, Buffer.from("the last part")])
        const { bytes, fault } = await collect(decompress(piecesOf(whole.subarray(0, -missing), sizes), compression))
        expect(fault).toContain(`the ${compression} data is broken here`)
        const known = Buffer.concat([...parts, Buffer.from("the last part")])
        expect(known.subarray(0, bytes.length).equals(bytes)).toBe(true)
      }),
    )
  })

  it("returns a fault if other data follows", async () => {
    const whole = Buffer.concat([compressed([Buffer.from("text")]), Buffer.from("rest")])
    const { bytes, fault } = await collect(decompress(piecesOf(whole, [1000]), compression))
    expect("text".startsWith(bytes.toString())).toBe(true)
    expect(fault).toContain("is broken here")
  })

  it("rethrows the error of its source", async () => {
    async function* failing() {
      yield compressed([Buffer.from("text")]).subarray(0, 5)
      throw new Error("the line went dead")
    }
    const pieces = failing() as unknown as Parameters<typeof decompress>[0]
    await expect(collect(decompress(pieces, compression))).rejects.toThrow("the line went dead")
  })

  it("closes its source if the consumer stops", async () => {
    let isClosed = false
    async function* endless() {
      try {
        for (;;) yield compressed([Buffer.alloc(100_000)])
      } finally {
        isClosed = true
      }
    }
    const pieces = decompress(endless() as unknown as Parameters<typeof decompress>[0], compression)
    await pieces.next()
    await pieces.return(undefined)
    expect(isClosed).toBe(true)
  })
})

describe("decompressing zstd", () => {
  it("stops at data that expands to thousands of times its size", verifies("contents.rows.compressed"), async () => {
    const bomb = zstdCompressSync(Buffer.alloc(512 * 1024 * 1024))
    let size = 0
    const pieces = decompress(piecesOf(bomb, [1000]), "zstd")
    let step = await pieces.next()
    for (; step.done !== true; step = await pieces.next()) size += step.value.length
    expect(step.value).toBe("can't be read: the zstd data holds more than 2000 times its size")
    expect(size).toBeLessThan(400 * 1024 * 1024)
  })
})

describe("decompressing gzip", () => {
  it("accepts zeros as padding after the last member", async () => {
    const padded = Buffer.concat([gzipSync("text"), Buffer.alloc(1000), gzipSync(" and more"), Buffer.alloc(3)])
    for (const size of [1, 7, 500, 2000]) {
      const { bytes, fault } = await collect(decompress(piecesOf(padded, [size]), "gzip"))
      expect([bytes.toString(), fault]).toEqual(["text and more", undefined])
    }
  })
})
