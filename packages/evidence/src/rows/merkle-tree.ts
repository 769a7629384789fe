import { hash } from "node:crypto"

/** A Merkle tree whose leaves come one after the other. Memory: 32 bytes for each level. */
export interface MerkleTree {
  /** Adds a leaf, and returns its hash. */
  add(leaf: Uint8Array): Buffer
  /** Returns the root of the leaves so far, in hexadecimal. */
  root(): string
}

/** Different first bytes, so that no node can be shown as a leaf. */
const LEAF = Buffer.of(0)
const NODE = Buffer.of(1)

/** Creates a Merkle tree hash of SHA-256 as RFC 6962 (section 2.1) defines it. */
export function createMerkleTree(): MerkleTree {
  /** The roots of the complete subtrees, the largest first. Their sizes are the powers of two in the number of leaves. */
  const roots: Buffer[] = []
  let leaves = 0
  return {
    add(leaf) {
      const leafHash = sha256(Buffer.concat([LEAF, leaf]))
      let root = leafHash
      for (let size = leaves++; size % 2 === 1; size = (size - 1) / 2) root = nodeHash(roots.pop(), root)
      roots.push(root)
      return leafHash
    },
    root() {
      const root = roots.reduceRight<Buffer | undefined>(
        (right, left) => (right === undefined ? left : nodeHash(left, right)),
        undefined,
      )
      return (root ?? sha256(Buffer.alloc(0))).toString("hex")
    },
  }
}

function nodeHash(left: Buffer = Buffer.alloc(0), right: Buffer): Buffer {
  return sha256(Buffer.concat([NODE, left, right]))
}

function sha256(bytes: Buffer): Buffer {
  return hash("sha256", bytes, "buffer")
}
