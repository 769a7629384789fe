import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { announcedDigests, checkDigests } from "./content-digest.ts"

const digest = createHash("sha256").update("hello").digest()
const hex = digest.toString("hex")
const base64 = digest.toString("base64")
const bad = expect.objectContaining({ code: "bad_checksum" })

const DIGESTS = { "sha-256": "sha256", "sha-512": "sha512", md5: "md5" } as const
const base64Of = (algorithm: keyof typeof DIGESTS) => createHash(DIGESTS[algorithm]).update("hello").digest("base64")
const expectedSha256 = (headers: Record<string, string>) =>
  announcedDigests(headers).find(({ algorithm }) => algorithm === "sha-256")?.hex

describe("the announced digest of a body", () => {
  it.each([
    { "x-checksum-sha256": hex.toUpperCase() },
    { "x-checksum-sha256": base64 },
    { "content-digest": `sha-256=:${base64}:` },
    { "content-digest": `crc32c=:AAAA:, sha-256=:${base64}:`, "x-checksum-sha256": hex },
    { "repr-digest": `sha-256=:${base64}:` },
    { digest: `SHA-256=${base64}, unixsum=30637` },
  ])("%o is read as lower-case hex", (headers) => {
    expect(expectedSha256(headers)).toBe(hex)
  })

  it("is undefined without a SHA-256", () => {
    expect(expectedSha256({})).toBeUndefined()
    expect(expectedSha256({ "content-digest": "sha=:AAAA:" })).toBeUndefined()
  })

  it.each([
    { "x-checksum-sha256": hex.slice(1) },
    { "content-digest": base64 },
    { "content-digest": "sha-256=:AAAA:" },
    { "content-digest": "sha-512=:AAAA:" },
    { "content-md5": "no" },
    { digest: "MD5" },
    { "content-md5": base64Of("md5"), digest: `md5=${Buffer.alloc(16).toString("base64")}` },
    { "content-digest": `sha-256=:${base64}:`, "x-checksum-sha256": "0".repeat(64) },
  ])("%o is a bad_checksum", (headers) => {
    expect(() => expectedSha256(headers)).toThrow(bad)
  })
})

describe("a body with announced digests", () => {
  const read = async (headers: Record<string, string>, text: string) => {
    async function* bytes() {
      yield* [Buffer.from(text.slice(0, 2)), Buffer.from(text.slice(2))]
    }
    return Buffer.concat(await Array.fromAsync(checkDigests(bytes(), announcedDigests(headers)))).toString()
  }
  it.each([
    { "content-md5": base64Of("md5") },
    { "content-digest": `sha-512=:${base64Of("sha-512")}:, md5=:${base64Of("md5")}:` },
    { "repr-digest": `sha-256=:${base64Of("sha-256")}:` },
    { digest: `SHA-512=${base64Of("sha-512")},MD5=${base64Of("md5")}` },
  ])("passes with %o, and fails with other bytes", async (headers) => {
    expect(await read(headers, "hello")).toBe("hello")
    await expect(read(headers, "hullo")).rejects.toMatchObject({ code: "checksum_mismatch" })
  })
})
