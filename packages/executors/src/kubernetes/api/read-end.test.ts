import { describe, expect, it } from "vitest"
import { readEnd } from "./read-end.ts"

async function* textIn(pieces: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < pieces; at++) yield Buffer.from(String(at).padStart(10))
}

describe("readEnd", () => {
  it("returns the last bytes of a text, whatever its pieces are", async () => {
    const limits = { bytes: 25, limit: 1000 }
    expect(await readEnd(textIn(0), limits)).toBe("")
    expect(await readEnd(textIn(2), limits)).toBe("         0         1")
    for (const pieces of [3, 4, 5, 6, 7, 50]) {
      const whole = Buffer.concat(await Array.fromAsync(textIn(pieces)))
      expect(await readEnd(textIn(pieces), limits)).toBe(whole.subarray(-25).toString())
    }
  })

  it("stops at its limit", async () => {
    expect(await readEnd(textIn(50), { bytes: 10, limit: 95 })).toBe("         9")
  })

  it("reads many small pieces in linear time", async () => {
    expect(await readEnd(textIn(300_000), { bytes: 2_000_000, limit: 10_000_000 })).toHaveLength(2_000_000)
  })
})
