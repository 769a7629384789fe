import { hash } from "node:crypto"
import { AssayError } from "@assay/schemas"
import { canonicalText } from "../schemas/compile/ajv-keywords.ts"

/** 16 bytes of the digest of a value. Equal values have the same, with their keys in any order and their numbers written in any way. */
export interface ValueDigest {
  readonly high: bigint
  readonly low: bigint
}

export function digestOf(value: unknown): ValueDigest {
  const bytes = hash("sha256", canonicalText(value), "buffer")
  return { high: bytes.readBigUInt64LE(0), low: bytes.readBigUInt64LE(8) }
}

/** Values by their digests, with a state and a number for each, in 29 bytes a slot. It has a fixed size, of which a third stays empty. */
export interface RowTable {
  /** Returns the slot of a digest; of one that is new, a free slot with the state 0. */
  slotOf(digest: ValueDigest): number
  /** Sets a slot, which is that of a digest from then on. @throws `storage_changed` if there are more digests than announced */
  set(slot: number, digest: ValueDigest, content: RowSlot): void
  get(slot: number): RowSlot
  /** The slots with a state above 0. */
  used(): Generator<number, void, undefined>
}

export interface RowSlot {
  /** 1 to 255; 0 is free. */
  readonly state: number
  /** An index or a count. */
  readonly number: number
  /** Half a digest of another value. */
  readonly other: bigint
}

/** @param capacity the maximum number of digests */
export function createRowTable(capacity: number): RowTable {
  const size = Math.ceil(capacity * 1.5) + 2
  const slots = BigInt(size)
  const [highs, lows, others] = [new BigUint64Array(size), new BigUint64Array(size), new BigUint64Array(size)]
  const numbers = new Uint32Array(size)
  const states = new Uint8Array(size)
  let used = 0
  return {
    slotOf({ high, low }) {
      let slot = Number(high % slots)
      while (states[slot] !== 0 && (highs[slot] !== high || lows[slot] !== low)) slot = (slot + 1) % size
      return slot
    },
    set(slot, { high, low }, { state, number, other }) {
      if (states[slot] === 0 && (used += 1) === size) throw moreRows()
      highs[slot] = high
      lows[slot] = low
      others[slot] = other
      numbers[slot] = number
      states[slot] = state
    },
    get: (slot) => ({ state: states[slot] ?? 0, number: numbers[slot] ?? 0, other: others[slot] ?? 0n }),
    *used() {
      for (let slot = 0; slot < size; slot += 1) if (states[slot] !== 0) yield slot
    },
  }
}

function moreRows(): AssayError {
  return new AssayError("storage_changed", "A file has more rows than when they were counted; compare it again.")
}
