import { createHash } from "node:crypto"
import { createMerkleTree } from "./merkle-tree.ts"

/** The facts of a statement about the rows of one side. */
export interface RowsDigest {
  /** Number of lines. */
  readonly count: number
  /** Bytes of all lines with their ends. */
  readonly bytes: number
  /** Of all lines with their ends, in hexadecimal. */
  readonly sha256: string
  /** The root of the Merkle tree over the lines without their ends, in hexadecimal. */
  readonly root: string
  /** The first four bytes of the hash of each leaf, in base64. They name a row that was changed; the root proves it. */
  readonly checks: string
}

/** Measures rows while their lines are read. */
export interface RowsMeasure {
  /** Adds a line without its end, and returns the first four bytes of the hash of its leaf. */
  add(line: Buffer): Buffer
  /** Returns the digest of the lines so far. */
  digest(): RowsDigest
}

/** Bytes of the hash of a leaf that name a changed row. */
export const CHECK_BYTES = 4
/** Bytes of lines that are hashed at once. */
const BATCH = 1024 * 1024
const LINE_END = Buffer.from("\n")

/** Creates the measure of rows. Memory: 4 bytes for each line. */
export function measureRows(): RowsMeasure {
  const tree = createMerkleTree()
  const whole = createHash("sha256")
  const checks: Buffer[] = []
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let bytes = 0
  const hashWaiting = (): void => {
    whole.update(Buffer.concat(waiting))
    waiting = []
    waitingBytes = 0
  }
  let page = Buffer.alloc(0)
  let used = 0
  return {
    add(line) {
      waiting.push(line, LINE_END)
      waitingBytes += line.length + 1
      bytes += line.length + 1
      if (waitingBytes >= BATCH) hashWaiting()
      if (used === page.length) {
        page = Buffer.alloc(CHECK_BYTES * 4096)
        used = 0
        checks.push(page)
      }
      const check = tree.add(line).subarray(0, CHECK_BYTES)
      check.copy(page, used)
      used += CHECK_BYTES
      return check
    },
    digest() {
      hashWaiting()
      const all = Buffer.concat(checks)
      const last = page.length - used
      return {
        count: (all.length - last) / CHECK_BYTES,
        bytes,
        sha256: whole.copy().digest("hex"),
        root: tree.root(),
        checks: all.subarray(0, all.length - last).toString("base64"),
      }
    },
  }
}
