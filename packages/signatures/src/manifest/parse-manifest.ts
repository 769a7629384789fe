import { createHash } from "node:crypto"
import { fieldsOf, findJsonExcess, type JsonObject, listOf } from "@assay/json"
import { type FilePath, isFilePath } from "@assay/storage"
import { unreadable } from "../statement/model-signature.ts"
import type { DigestAlgorithm, SignedDigest, SignedFile, SignedManifest } from "./signed-manifest.ts"

export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
export const PREDICATE_TYPE = "https://model_signing/signature/v1.0"
/** Releases before 1.0 wrote the digests of files as subjects. */
const FORMER_PREDICATE_TYPE = "https://model_signing/Digests/v0.1"
/** A model of 100,000 files has 500,000 keys. */
const LIMITS = { depth: 16, parts: 2_000_000, values: 2_000_000, keys: 100 }
const DIGEST_LENGTHS = { sha256: 64, blake2: 128 } as const satisfies Record<DigestAlgorithm, number>

/**
 * Reads the statement of a signature, after it was verified. @throws `bad_signature` if it is of another kind, or contradicts itself
 */
export function parseManifest(payload: Buffer): SignedManifest {
  const { _type: type, predicateType, subject, predicate } = readStatement(payload)
  if (type !== STATEMENT_TYPE) throw unreadable(`its statement is not of the type '${STATEMENT_TYPE}'`)
  if (predicateType === FORMER_PREDICATE_TYPE) return parseFormer(listOf(subject))
  if (predicateType !== PREDICATE_TYPE) throw unreadable(`it does not sign files of a model ('${PREDICATE_TYPE}')`)
  const { serialization, resources } = fieldsOf(predicate)
  const { method, ignore_paths: ignored } = fieldsOf(serialization)
  if (method !== "files" && method !== "shards") throw unreadable("its files are neither digested whole nor in parts")
  const digests = listOf(resources).map((one) => readResource(fieldsOf(one), method === "shards"))
  const named = fieldsOf(listOf(subject)[0])
  checkRoot(digests, fieldsOf(named["digest"])["sha256"])
  const name = typeof named["name"] === "string" ? named["name"] : ""
  return { name, files: byFile(digests, name), ignored: listOf(ignored).filter((one) => typeof one === "string") }
}

interface NamedDigest extends SignedDigest {
  readonly path: string
}

function readStatement(payload: Buffer): JsonObject {
  const text = payload.toString("utf8")
  const excess = findJsonExcess(text, LIMITS)
  if (excess !== undefined) throw unreadable(`its statement has too many ${excess.limit} at ${excess.position}`)
  try {
    return fieldsOf(JSON.parse(text))
  } catch (error) {
    throw unreadable("its statement is not JSON", error)
  }
}

function parseFormer(subjects: readonly unknown[]): SignedManifest {
  const digests = subjects.map((one) => {
    const { name, digest } = fieldsOf(one)
    return readResource({ name, algorithm: "sha256", digest: fieldsOf(digest)["sha256"] }, false)
  })
  return { name: "", files: byFile(digests, ""), ignored: [] }
}

/** The name of a part is `path:start:end`. */
function readResource({ name, algorithm, digest }: JsonObject, isPart: boolean): NamedDigest {
  const kind = readAlgorithm(algorithm)
  if (typeof name !== "string") throw unreadable("a file has no name")
  const isDigest = typeof digest === "string" && digest.length === DIGEST_LENGTHS[kind] && /^[0-9a-f]+$/.test(digest)
  if (!isDigest) throw unreadable(`the digest of '${name.slice(0, 200)}' is not ${kind} in lower-case hex`)
  if (!isPart) return { path: name, part: undefined, algorithm: kind, digest }
  const parts = /^(.+):(\d{1,15}):(\d{1,15})$/s.exec(name)
  if (parts === null) throw unreadable(`'${name.slice(0, 200)}' does not name a part of a file`)
  const [, path = "", start, end] = parts
  return { path, part: { start: Number(start), end: Number(end) }, algorithm: kind, digest }
}

/** Digests of signers are named like `sha256`, and those of parts like `sha256-sharded-1000000`. */
function readAlgorithm(algorithm: unknown): DigestAlgorithm {
  const name = typeof algorithm === "string" ? algorithm.split("-")[0] : undefined
  if (name === "sha256") return "sha256"
  if (name === "blake2" || name === "blake2b") return "blake2"
  throw unreadable(`its digests are ${JSON.stringify(algorithm) ?? "unnamed"}, and SHA-256 and BLAKE2 can be verified`)
}

/** The subject has one digest over those of all files, in their order. */
function checkRoot(digests: readonly NamedDigest[], expected: unknown): void {
  const root = createHash("sha256")
  for (const { digest } of digests) root.update(digest, "hex")
  if (root.digest("hex") !== expected) throw unreadable("the digests of its files do not add up to that of the model")
}

/** Collects the parts of each file. A model of one file has the name of the model. @throws `bad_signature` if a file is there twice, or its parts leave something out */
function byFile(digests: readonly NamedDigest[], model: string): SignedFile[] {
  const files = new Map<string, SignedDigest[]>()
  for (const { path, ...digest } of digests) {
    const known = files.get(path)
    const end = known === undefined ? 0 : known.at(-1)?.part?.end
    if (digest.part === undefined ? known !== undefined : digest.part.start !== end || digest.part.end < end) {
      throw unreadable(`the parts of '${path.slice(0, 200)}' overlap or leave something out`)
    }
    if (known === undefined) files.set(path, [digest])
    else known.push(digest)
  }
  return [...files].map(([path, parts]) => ({ path: readPath(path === "." ? model : path), digests: parts }))
}

function readPath(path: string): FilePath {
  if (isFilePath(path)) return path
  throw unreadable(`'${path.slice(0, 200)}' is not the path of a file in a model`)
}
