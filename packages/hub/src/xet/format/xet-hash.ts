/** Bytes of a hash of Xet: of a chunk, a xorb or a file. */
export const HASH_BYTES = 32

const HASH = /^[0-9a-f]{64}$/

/** Returns whether a text is a hash as Xet writes it. */
export function isXetHash(text: string): boolean {
  return HASH.test(text)
}

/** Returns the text of a hash: four numbers of 64 bits, each of them stored with its lowest byte first. */
export function formatXetHash(hash: Uint8Array): string {
  return Buffer.from(hash).swap64().toString("hex")
}

/** Returns the bytes of a hash. The text must be one: see `isXetHash`. */
export function parseXetHash(text: string): Uint8Array {
  return Buffer.from(text, "hex").swap64()
}

/** Every how many hashes one divides the list of nodes in the Merkle tree, on average. */
const BRANCHING = 4
/** Every how many chunks a client asks whether the server has one. */
const GLOBAL_DEDUP = 1024

/** Returns whether a node ends its group in the Merkle tree. */
export function endsGroup(hash: Uint8Array): boolean {
  return lowestBits(hash) % BRANCHING === 0
}

/** Returns whether clients ask for this chunk wherever it is in a file. */
export function isAskedFor(hash: Uint8Array): boolean {
  return lowestBits(hash) % GLOBAL_DEDUP === 0
}

/** Returns the lowest 16 bits of the last of the four numbers of a hash. */
function lowestBits(hash: Uint8Array): number {
  return (hash[24] ?? 0) | ((hash[25] ?? 0) << 8)
}
