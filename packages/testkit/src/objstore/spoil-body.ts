import type { FaultsAtHand } from "./faults.ts"

/** The pieces of a body with the faults that befall it: `cut` and `stall` are the last thing that happens. */
export function* spoilBody(pieces: Iterable<Buffer>, faults: FaultsAtHand): Iterable<Buffer | "cut" | "stall"> {
  const cut = faults("cut")?.after ?? Infinity
  const stall = faults("stall")?.after ?? Infinity
  const limit = Math.min(cut, stall, faults("end-early")?.after ?? Infinity)
  const wrong = faults("wrong-byte")?.at
  let at = 0
  for (const piece of pieces) {
    if (at >= limit) break
    const kept = piece.subarray(0, limit - at)
    yield wrong === undefined ? kept : changeByte(kept, wrong - at)
    at += kept.length
  }
  if (at >= cut) yield "cut"
  if (at >= stall) yield "stall"
  const extra = faults("run-on")?.extra ?? 0
  if (extra > 0) yield Buffer.alloc(extra, "x")
}

function changeByte(piece: Buffer, at: number): Buffer {
  const byte = piece[at]
  if (byte === undefined) return piece
  const changed = Buffer.from(piece)
  changed[at] = byte ^ 0xff
  return changed
}
