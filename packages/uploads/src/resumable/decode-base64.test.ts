import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decodeBase64 } from "./decode-base64.ts"

describe("base64 from clients", () => {
  it("is decoded with and without padding", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = Buffer.from(bytes).toString("base64")
        expect(decodeBase64(text)).toEqual(Buffer.from(bytes))
        expect(decodeBase64(text.replace(/=+$/, ""))).toEqual(Buffer.from(bytes))
      }),
      { numRuns: 50 },
    )
  })

  it.each(["!!!", "QUJ D", "QUI=QUI=", "QUJDR", "QQ=", "QUJD=", "QUJD====", "_-_-", "é"])(
    "is undefined if it is damaged: %s",
    (text) => {
      expect(decodeBase64(text)).toBeUndefined()
    },
  )
})
