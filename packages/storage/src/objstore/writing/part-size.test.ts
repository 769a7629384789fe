import { describe, expect, it } from "vitest"
import { parallelParts, partSize } from "./part-size.ts"

const MIB = 1024 * 1024
const GIB = 1024 * MIB

describe("the size of parts", () => {
  it("lets 10,000 of them hold 5 TiB, none larger than 5 GiB", () => {
    let offset = 0
    for (let part = 1; part <= 10_000; part++) offset += partSize(offset)
    expect(offset).toBeGreaterThan(5 * 1024 * GIB)
    expect(partSize(5 * 1024 * GIB)).toBeLessThan(5 * GIB)
  })

  it("is the same for all parts of a file of up to 10 GiB, and bounds what is on its way", () => {
    expect([partSize(0), partSize(10 * GIB)]).toEqual([8 * MIB, 8 * MIB])
    for (let offset = 0; offset < 40 * GIB; offset += GIB) {
      expect(parallelParts(partSize(offset)) * partSize(offset)).toBeLessThanOrEqual(64 * MIB)
    }
    expect(parallelParts(partSize(1024 * GIB))).toBe(1)
  })
})
