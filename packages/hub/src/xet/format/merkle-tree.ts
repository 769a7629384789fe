import { endsGroup, formatXetHash, HASH_BYTES } from "./xet-hash.ts"
import type { XetHashes } from "./xet-hashes.ts"

/** A node of a Merkle tree: a chunk, or the parent of some nodes. */
export interface MerkleNode {
  readonly hash: Uint8Array
  /** Bytes of all chunks below it, uncompressed. */
  readonly size: number
}

/** A Merkle tree over chunks that are added in order. It keeps a few nodes for each level, for any number of chunks. */
export interface MerkleTree {
  add(chunk: MerkleNode): void
  /** Returns the root, which is the hash of a xorb with these chunks. That of no chunks is zero. Called once, at the end. */
  root(): Uint8Array
}

/** A node that ends its group is not the first or the second of it. */
const MIN_GROUP = 3
const MAX_GROUP = 9

/** Creates a tree in which groups of at most 9 nodes have a parent, up to the level that has one node. */
export function createMerkleTree(hashes: Pick<XetHashes, "node">): MerkleTree {
  const levels: Level[] = []
  function add(level: number, node: MerkleNode): void {
    const { group } = (levels[level] ??= { group: [], hasParents: false })
    group.push(node)
    if (group.length === MAX_GROUP || (group.length >= MIN_GROUP && endsGroup(node.hash))) close(level)
  }
  function close(level: number): void {
    const closed = levels[level]
    if (closed === undefined || closed.group.length === 0) return
    const parent = parentOf(hashes, closed.group)
    closed.group = []
    closed.hasParents = true
    add(level + 1, parent)
  }
  return {
    add: (chunk) => add(0, chunk),
    root() {
      for (let level = 0; level < levels.length; level++) {
        const { group, hasParents } = levels[level] ?? { group: [], hasParents: false }
        const [only] = group
        if (!hasParents && group.length === 1 && only !== undefined) return only.hash
        close(level)
      }
      return new Uint8Array(HASH_BYTES)
    },
  }
}

interface Level {
  group: MerkleNode[]
  /** Whether earlier nodes of the level have a parent. */
  hasParents: boolean
}

function parentOf(hashes: Pick<XetHashes, "node">, group: readonly MerkleNode[]): MerkleNode {
  const lines = group.map(({ hash, size }) => `${formatXetHash(hash)} : ${size}\n`).join("")
  return { hash: hashes.node(Buffer.from(lines, "latin1")), size: group.reduce((sum, { size }) => sum + size, 0) }
}
