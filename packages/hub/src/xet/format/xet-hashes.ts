import { HASH_BYTES } from "./xet-hash.ts"

/** The hash functions of Xet, each of them BLAKE3 with a key of its own. */
export interface XetHashes {
  /** Returns the hash of the bytes of a chunk. */
  chunk(bytes: Uint8Array): Uint8Array
  /** Returns the hash of a node in the Merkle tree, of the text that lists its children. */
  node(text: Uint8Array): Uint8Array
  /** Returns the hash that proves that a client has chunks: that of their hashes, one after the other. */
  range(hashes: Uint8Array): Uint8Array
  /** Returns the hash of a file from the root of its Merkle tree. */
  file(root: Uint8Array): Uint8Array
}

// The keys are part of the protocol: https://huggingface.co/docs/xet/hashing
const CHUNK_KEY = "6697f5775b9550de3135cbaca597181c9de421109beb2b58b4d0b04b93adf229"
const NODE_KEY = "017ec5c7a5472996fd946666b48a02e65ddd536f37c76dd2f86352e64a53713f"
const RANGE_KEY = "7f1857d6ce56ed66127ff913e7a5c3f3a4cd26d5b5db49e64124987f28fb94c3"

/** Creates a keyed hash function. It is synchronous, so calls never overlap and share one state. */
export async function createKeyedHash(key: Uint8Array): Promise<(bytes: Uint8Array) => Uint8Array> {
  // Loaded with the first upload, so that a server starts without it.
  const { createBLAKE3 } = await import("hash-wasm")
  const hasher = await createBLAKE3(HASH_BYTES * 8, key)
  return (bytes) => hasher.init().update(bytes).digest("binary")
}

export async function createXetHashes(): Promise<XetHashes> {
  return {
    chunk: await createKeyedHash(Buffer.from(CHUNK_KEY, "hex")),
    node: await createKeyedHash(Buffer.from(NODE_KEY, "hex")),
    range: await createKeyedHash(Buffer.from(RANGE_KEY, "hex")),
    file: await createKeyedHash(new Uint8Array(HASH_BYTES)),
  }
}
