import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { expectedSha256 } from "./content-digest.ts"

const digest = createHash("sha256").update("hello").digest()
const hex = digest.toString("hex")
const base64 = digest.toString("base64")
const bad = expect.objectContaining({ code: "bad_checksum" })

describe("the announced digest of a body", () => {
  it.each([
    { "x-checksum-sha256": hex.toUpperCase() },
    { "x-checksum-sha256": base64 },
    { "content-digest": `sha-256=:${base64}:` },
    { "content-digest": `sha-512=:AAAA:, sha-256=:${base64}:`, "x-checksum-sha256": hex },
  ])("%o is read as lower-case hex", (headers) => {
    expect(expectedSha256(headers)).toBe(hex)
  })

  it("is undefined without a SHA-256", () => {
    expect(expectedSha256({})).toBeUndefined()
    expect(expectedSha256({ "content-digest": "sha-512=:AAAA:" })).toBeUndefined()
  })

  it.each([
    { "x-checksum-sha256": hex.slice(1) },
    { "content-digest": base64 },
    { "content-digest": "sha-256=:AAAA:" },
    { "content-digest": `sha-256=:${base64}:`, "x-checksum-sha256": "0".repeat(64) },
  ])("%o is a bad_checksum", (headers) => {
    expect(() => expectedSha256(headers)).toThrow(bad)
  })
})
