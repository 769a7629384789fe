const WORDS = ["review", "ticket", "invoice", "speech", "image", "sensor", "ledger", "novel", "chess", "protein"]
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-"

/** Returns the name of the seeded fileset number `index`. Some letters occur in many names, and some in few. */
export function filesetName(index: number): string {
  return `${WORDS[index % WORDS.length]}-${WORDS[Math.floor(index / 10) % WORDS.length]}-${index.toString(36)}`
}

/** Returns the value of the custom field `source` of the seeded fileset number `index`. */
export function sourceField(index: number): string {
  return `Crawl ${index % 1000}`
}

/** Returns a number from 0 to 1 that looks random and is the same for the same index in every process. */
export function scattered(index: number): number {
  let bits = Math.imul(index + 1, 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32
}

/**
 * Returns a pattern of 3 to 12 characters for `$like`. Three of four are parts of the name of one of `count` filesets, and
 * the fourth is made of random letters, which no name may contain.
 */
export function randomPattern(index: number, count: number): string {
  const draw = (turn: number) => scattered(index * 16 + turn)
  const length = 3 + Math.floor(draw(0) * 10)
  if (index % 4 === 3) {
    return Array.from({ length }, (_, place) => LETTERS[Math.floor(draw(place + 1) * LETTERS.length)]).join("")
  }
  const name = filesetName(Math.floor(draw(1) * count))
  const start = Math.floor(draw(2) * Math.max(1, name.length - length + 1))
  return name.slice(start, start + length)
}

/** Returns a pattern of 3 to 9 characters for `$like` that is a part of the custom field `source` of some filesets. */
export function randomFieldPattern(index: number): string {
  const field = sourceField(Math.floor(scattered(index * 2) * 1000)).toLowerCase()
  return field.slice(Math.floor(scattered(index * 2 + 1) * (field.length - 2)))
}
