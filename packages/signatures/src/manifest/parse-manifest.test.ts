import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { hasDigests } from "./file-digests.ts"
import { parseManifest, PREDICATE_TYPE, STATEMENT_TYPE } from "./parse-manifest.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

interface Resource {
  readonly name: string
  readonly algorithm: string
  readonly digest: string
}

function statement(resources: readonly Resource[], method = "files"): Buffer {
  const root = createHash("sha256")
  for (const { digest } of resources) root.update(digest, "hex")
  return Buffer.from(
    JSON.stringify({
      _type: STATEMENT_TYPE,
      subject: [{ name: "tiny", digest: { sha256: root.digest("hex") } }],
      predicateType: PREDICATE_TYPE,
      predicate: { serialization: { method }, resources },
    }),
  )
}

const resource = (name: string, text: string, algorithm = "sha256") => ({ name, algorithm, digest: sha256(text) })
const shard = (name: string, text: string) => resource(name, text, "sha256-sharded-3")

async function* pieces(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text)
}

describe("the manifest of a signature", () => {
  it("has files in parts, which are verified across the pieces of a read", async () => {
    const [file] = parseManifest(statement([shard("a:0:3", "abc"), shard("a:3:5", "de")], "shards")).files
    const digests = file?.digests ?? []
    expect(await hasDigests(pieces("a", "bcd", "e"), digests)).toBe(true)
    expect(await hasDigests(pieces("abcd"), digests)).toBe(false)
    expect(await hasDigests(pieces("abcdef"), digests)).toBe(false)
    expect(await hasDigests(pieces("abcdf"), digests)).toBe(false)
    expect(await hasDigests(pieces(), digests)).toBe(false)
  })

  it("has the digests of BLAKE2 signers, and a model of one file has its name", async () => {
    const digest = createHash("blake2b512").update("abc").digest("hex")
    const [file] = parseManifest(statement([{ name: ".", algorithm: "blake2b", digest }])).files
    expect(file?.path).toBe("tiny")
    expect(await hasDigests(pieces("abc"), file?.digests ?? [])).toBe(true)
  })

  it("is refused if it leaves out parts, names a file twice, or one outside of the model", () => {
    const parsed = (...resources: readonly Resource[]) => parseManifest(statement(resources))
    const parsedParts = (...resources: readonly Resource[]) => parseManifest(statement(resources, "shards"))
    expect(() => parsedParts(shard("a:0:3", "abc"), shard("a:4:5", "e"))).toThrow("leave something out")
    expect(() => parsedParts(shard("a:1:3", "bc"))).toThrow("leave something out")
    expect(() => parsed(resource("a", "1"), resource("a", "2"))).toThrow("overlap")
    expect(() => parsed(resource("../a", "1"))).toThrow("not the path of a file")
    expect(() => parsed(resource("/etc/passwd", "1"))).toThrow("not the path of a file")
    expect(() => parsed(resource("a", "1", "blake3"))).toThrow('its digests are "blake3"')
    expect(() => parsed({ ...resource("a", "1"), digest: "00" })).toThrow("not sha256 in lower-case hex")
  })

  it("is refused if its digests do not add up, or it is another statement", () => {
    const text = statement([resource("a", "1")]).toString()
    expect(() => parseManifest(Buffer.from(text.replace(sha256("1"), sha256("2"))))).toThrow("do not add up")
    expect(() => parseManifest(Buffer.from(text.replace("signature/v1.0", "other")))).toThrow("does not sign files")
    expect(() => parseManifest(Buffer.from("["))).toThrow("is not JSON")
    expect(() => parseManifest(Buffer.from("[".repeat(100_000)))).toThrow("too many depth")
  })
})
