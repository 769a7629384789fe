import { AssayError } from "@assay/schemas"
import type { FileTerm } from "./file-terms.ts"
import { ENTRY_BYTES, HEADER_BYTES, MAGIC, SECTION_END, VERSION } from "./shard-layout.ts"
import { formatXetHash, HASH_BYTES } from "./xet-hash.ts"

/** Maximum size of a shard. Clients make shards of 64 MiB. */
export const MAX_SHARD_BYTES = 66 * 1024 * 1024

/** A file that a client has sent in xorbs. */
export interface ShardFile {
  readonly hash: string
  /** Undefined: the client did not send it. */
  readonly sha256: string | undefined
  readonly terms: readonly ShardTerm[]
}

export interface ShardTerm extends FileTerm {
  /** Hash over the hashes of the chunks. */
  readonly proof: Uint8Array
}

const HAS_PROOFS = 0x80000000
const HAS_SHA256 = 0x40000000

/**
 * Yields the files of a shard, one at a time. The part after them describes xorbs, and is known from the xorbs themselves.
 * @throws `bad_upload`
 */
export function* parseShard(shard: Uint8Array): Generator<ShardFile, void> {
  const bytes = Buffer.from(shard.buffer, shard.byteOffset, shard.byteLength)
  if (bytes.length < HEADER_BYTES || !MAGIC.equals(bytes.subarray(0, MAGIC.length)))
    throw broken("It does not begin like one.")
  const version = bytes.readBigUInt64LE(MAGIC.length)
  if (version !== BigInt(VERSION)) throw broken(`It has version ${version}; this server reads version ${VERSION}.`)
  let position = HEADER_BYTES
  const take = (): Buffer => {
    const entry = bytes.subarray(position, position + ENTRY_BYTES)
    if (entry.length < ENTRY_BYTES) throw broken(`It ends at byte ${bytes.length}, within the list of files.`)
    position += ENTRY_BYTES
    return entry
  }
  for (;;) {
    const head = take()
    const hash = head.subarray(0, HASH_BYTES)
    if (SECTION_END.equals(hash)) return
    const flags = head.readUInt32LE(HASH_BYTES)
    const count = head.readUInt32LE(HASH_BYTES + 4)
    const name = formatXetHash(hash)
    if (flags < HAS_PROOFS) throw broken(`File ${name} has no verification of its terms.`)
    if (2 * count * ENTRY_BYTES > bytes.length - position)
      throw broken(`File ${name} announces ${count} terms, which do not follow.`)
    const terms = Array.from({ length: count }, take)
    const proofs = Array.from({ length: count }, take)
    const sha256 = flags % HAS_PROOFS >= HAS_SHA256 ? formatXetHash(take().subarray(0, HASH_BYTES)) : undefined
    yield { hash: name, sha256, terms: terms.map((entry, index) => termOf(entry, proofs[index] ?? entry)) }
  }
}

function termOf(entry: Buffer, proof: Buffer): ShardTerm {
  return {
    xorb: formatXetHash(entry.subarray(0, HASH_BYTES)),
    size: entry.readUInt32LE(HASH_BYTES + 4),
    first: entry.readUInt32LE(HASH_BYTES + 8),
    end: entry.readUInt32LE(HASH_BYTES + 12),
    proof: proof.subarray(0, HASH_BYTES),
  }
}

function broken(why: string): AssayError {
  return new AssayError("bad_upload", `The shard can't be read, so nothing was kept. ${why}`)
}
