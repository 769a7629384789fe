/**
 * Compares two texts by code point, which is also the order of their UTF-8 bytes. JavaScript's `<` compares UTF-16
 * units and therefore puts U+10000 and above, which are written as surrogates, before U+E000 to U+FFFF.
 */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** Moves surrogates above all other units, to the order of their code points. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
