import { setImmediate } from "node:timers/promises"
import { AssayError } from "@assay/schemas"
import { createChunkFinder, lengthOf, type ChunkFinder } from "./find-chunks.ts"
import { packTerms } from "./format/file-terms.ts"
import { createMerkleTree, type MerkleTree } from "./format/merkle-tree.ts"
import { parseShard, type ShardFile, type ShardTerm } from "./format/parse-shard.ts"
import { formatXetHash, HASH_BYTES } from "./format/xet-hash.ts"
import type { XetHashes } from "./format/xet-hashes.ts"
import type { XetStores } from "./xet-stores.ts"

/** Maximum number of chunks that the files of one shard have, 1 TiB on average. */
const MAX_CHUNKS = 16_777_216

export interface ShardOptions {
  /** Maximum size of a file in bytes; undefined: no limit. */
  readonly maxBytes: number | undefined
  readonly hashes: XetHashes
}

/**
 * Registers the files of a shard, which wait for their commit. Every chunk of them must be here, and the hashes that the client computed
 * must follow from the chunks. The SHA-256 is verified when a commit makes a file of the chunks.
 * @throws `bad_upload`, `too_large`
 */
export async function registerShard(
  stores: XetStores,
  shard: Uint8Array,
  { maxBytes, hashes }: ShardOptions,
): Promise<void> {
  const finder = createChunkFinder(stores)
  let count = 0
  for (const file of parseShard(shard)) {
    const size = file.terms.reduce((sum, term) => sum + term.size, 0)
    if (maxBytes !== undefined && size > maxBytes) {
      throw new AssayError(
        "too_large",
        `A file of the shard has ${size} bytes; this server takes at most ${maxBytes} (ASSAY_MAX_UPLOAD_BYTES).`,
      )
    }
    count += file.terms.reduce((sum, { first, end }) => sum + Math.max(0, end - first), 0)
    if (count > MAX_CHUNKS) {
      throw new AssayError(
        "too_large",
        `The files of the shard have more than ${MAX_CHUNKS} chunks. Send fewer files at a time.`,
      )
    }
    await registerFile({ ...stores, hashes, finder }, file, size)
  }
}

interface RegisterContext extends XetStores {
  readonly hashes: XetHashes
  readonly finder: ChunkFinder
}

async function registerFile(context: RegisterContext, file: ShardFile, size: number): Promise<void> {
  const { xet, fileset, hashes } = context
  const { hash, sha256, terms } = file
  if (sha256 === undefined) {
    throw new AssayError("bad_upload", `File ${hash} of the shard comes without its SHA-256, by which commits name it.`)
  }
  const tree = createMerkleTree(hashes)
  for (const term of terms) await checkTerm(context, term, tree)
  const root = tree.root()
  const found = formatXetHash(terms.length === 0 ? root : hashes.file(root))
  if (found !== hash) {
    throw new AssayError("bad_upload", `The terms of the shard make the file ${found}, not ${hash}; nothing was kept.`)
  }
  if (await isFile(context, sha256)) return
  const [first] = terms
  const chunk = first && (await context.finder.chunksOf(first.xorb))[first.first]
  const asked = first && chunk && { chunk: formatXetHash(chunk.hash), xorb: first.xorb }
  const xorbs = [...new Set(terms.map(({ xorb }) => xorb))]
  await xet.addFile(fileset, { sha256, hash, size, terms: packTerms(terms), xorbs, asked })
}

/** Returns whether a file of the fileset has the content, and its chunks are known. */
async function isFile(
  { xet, fileset, registry, repository: { ws, name } }: XetStores,
  sha256: string,
): Promise<boolean> {
  if ((await xet.file(fileset, sha256, "committed")) === undefined) return false
  return ((await registry.revisions.find(ws, name, [sha256])).get(sha256) ?? []).length > 0
}

/** Checks that the chunks of a term are here, and adds them to the tree of their file. */
async function checkTerm({ finder, hashes }: RegisterContext, term: ShardTerm, tree: MerkleTree): Promise<void> {
  const { xorb, first, end, size, proof } = term
  const chunks = await finder.chunksOf(xorb)
  if (first >= end || end > chunks.length) {
    throw new AssayError(
      "bad_upload",
      `A term of the shard names the chunks ${first} to ${end} of xorb ${xorb}, which has ${chunks.length}.`,
    )
  }
  const used = chunks.slice(first, end)
  const names = new Uint8Array(used.length * HASH_BYTES)
  for (const [index, { hash }] of used.entries()) names.set(hash, index * HASH_BYTES)
  if (!Buffer.from(proof).equals(hashes.range(names))) {
    throw new AssayError("bad_upload", `The verification of the chunks ${first} to ${end} of xorb ${xorb} is wrong.`)
  }
  const length = lengthOf(chunks, first, end, "size")
  if (length !== size) {
    throw new AssayError(
      "bad_upload",
      `The chunks ${first} to ${end} of xorb ${xorb} have ${length} bytes, not ${size}.`,
    )
  }
  await finder.sources(term)
  for (const chunk of used) tree.add(chunk)
  // Other requests go on while a large file is checked.
  await setImmediate()
}
