/** 4096 registers of one byte: a standard error of 1.04 / √4096 = 1.6 %. */
const REGISTERS = 4096
const INDEX_BITS = 12
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS)

/** Estimates the number of distinct texts, in 4 kB of memory. */
export interface DistinctEstimate {
  readonly add: (text: string) => void
  readonly count: () => number
}

/** Creates an estimate by HyperLogLog, with linear counting while it is sparse (Flajolet et al., 2007). */
export function createDistinctEstimate(): DistinctEstimate {
  const registers = new Uint8Array(REGISTERS)
  return {
    add(text) {
      const [a, b] = hashText(text)
      const index = a >>> (32 - INDEX_BITS)
      const rank = Math.clz32(b) + 1
      if (rank > (registers[index] ?? 0)) registers[index] = rank
    },
    count() {
      let sum = 0
      let empty = 0
      for (const rank of registers) {
        sum += 2 ** -rank
        if (rank === 0) empty++
      }
      const estimate = (ALPHA * REGISTERS * REGISTERS) / sum
      const isSparse = estimate <= 2.5 * REGISTERS && empty > 0
      return Math.round(isSparse ? REGISTERS * Math.log(REGISTERS / empty) : estimate)
    },
  }
}

/** Returns two independent 32-bit hashes of `text`: FNV-1a steps with Murmur3's final mix. */
function hashText(text: string): readonly [number, number] {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x85ebca6b)
  }
  return [mix(a ^ text.length), mix(b ^ a)]
}

function mix(hash: number): number {
  let mixed = hash
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
