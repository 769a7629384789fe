import { AssayError } from "@assay/schemas"
import { packChunkList, type ListedChunk } from "./format/chunk-list.ts"
import { createMerkleTree } from "./format/merkle-tree.ts"
import { formatXetHash, isAskedFor } from "./format/xet-hash.ts"
import type { XetHashes } from "./format/xet-hashes.ts"
import { createXorbReader, MAX_XORB_BYTES } from "./format/xorb-reader.ts"
import { xorbObject, type XetStores } from "./xet-stores.ts"

/** A xorb as a client announces it. */
export interface AnnouncedXorb {
  readonly hash: string
  /** Bytes that follow. */
  readonly size: number
  readonly hashes: XetHashes
}

/**
 * Stores a xorb that waits for its files, after every chunk was unpacked and hashed. Keeps one chunk in memory. Returns false if it waits
 * already.
 * @throws `bad_upload` if it can't be read, or has another hash or size; `too_large`, `disk_full`
 */
export async function receiveXorb(
  stores: XetStores,
  { hash, size, hashes }: AnnouncedXorb,
  bytes: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  if (size > MAX_XORB_BYTES) {
    throw new AssayError("too_large", `The xorb has ${size} bytes; a xorb has at most ${MAX_XORB_BYTES}.`)
  }
  const { xet, objects, fileset } = stores
  const object = xorbObject(stores, hash)
  if ((await objects.size(object)) !== undefined && (await xet.chunkLists(fileset, [hash])).has(hash)) {
    // A client that sends bytes expects them to be read.
    for await (const _ of bytes);
    return false
  }
  const chunks: ListedChunk[] = []
  const upload = { ...object, size, key: await objects.start(object, size) }
  await objects.put(upload, verified({ hash, size, hashes }, bytes, chunks), { isVerified: true, disposable: true })
  const asked = chunks.filter((chunk) => isAskedFor(chunk.hash)).map((chunk) => formatXetHash(chunk.hash))
  await xet.addXorb(fileset, { hash, chunks: packChunkList(chunks), asked })
  return true
}

/** Yields the bytes of a xorb as they came, and lists its chunks. Throws at the end if they are not the announced xorb. */
async function* verified(
  { hash, size, hashes }: AnnouncedXorb,
  bytes: AsyncIterable<Uint8Array>,
  chunks: ListedChunk[],
): AsyncGenerator<Uint8Array, void> {
  const tree = createMerkleTree(hashes)
  const reader = createXorbReader((chunk, packed) => {
    const listed = { hash: hashes.chunk(chunk), size: chunk.length, packed }
    chunks.push(listed)
    tree.add(listed)
  })
  let length = 0
  for await (const piece of bytes) {
    reader.push(piece)
    length += piece.length
    yield piece
  }
  reader.end()
  const found = formatXetHash(tree.root())
  if (length !== size) {
    throw new AssayError(
      "bad_upload",
      `${size} bytes of the xorb were announced and ${length} arrived; nothing was kept.`,
    )
  }
  if (chunks.length > 0 && found === hash) return
  throw new AssayError("bad_upload", `The chunks that arrived make the xorb ${found}, not ${hash}; nothing was kept.`)
}
