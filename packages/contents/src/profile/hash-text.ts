/** Two 32-bit hashes of `text` that know nothing of each other: FNV-1a steps with Murmur3's final mix. */
export function hashText(text: string): readonly [number, number] {
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
