type Words = readonly string[]

/** Splits at spaces: no tokenizer of a paper, no stemming. */
const wordsOf = (text: string): Words => text.split(" ")

function countGrams(words: Words, length: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (let start = 0; start + length <= words.length; start += 1) {
    const gram = words.slice(start, start + length).join(" ")
    counts.set(gram, (counts.get(gram) ?? 0) + 1)
  }
  return counts
}

function commonGrams(candidate: Words, reference: Words, length: number): number {
  const counts = countGrams(reference, length)
  let common = 0
  for (const [gram, count] of countGrams(candidate, length)) common += Math.min(count, counts.get(gram) ?? 0)
  return common
}

/** Computes BLEU of a sentence from its definition: n-grams of 1 to 4 words, add-one smoothing, brevity penalty. */
export function bareBleu(candidate: string, reference: string): number {
  const [left, right] = [wordsOf(candidate), wordsOf(reference)]
  let logs = 0
  for (let length = 1; length <= 4; length += 1) {
    logs += Math.log((commonGrams(left, right, length) + 1) / (Math.max(0, left.length - length + 1) + 1))
  }
  return Math.min(1, Math.exp(1 - right.length / left.length)) * Math.exp(logs / 4)
}

function longestCommon(left: Words, right: Words): number {
  let row = Array.from({ length: right.length + 1 }, () => 0)
  for (const word of left) {
    const next = [0]
    for (const [index, other] of right.entries()) {
      next.push(word === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0))
    }
    row = next
  }
  return row[right.length] ?? 0
}

/** Computes F1 of ROUGE 1, 2, 3 and L from their definitions. */
export function bareRouge(candidate: string, reference: string): readonly number[] {
  const [left, right] = [wordsOf(candidate), wordsOf(reference)]
  const grams = [1, 2, 3].map(
    (length) => (2 * commonGrams(left, right, length)) / (left.length + right.length - 2 * length + 2),
  )
  return [...grams, (2 * longestCommon(left, right)) / (left.length + right.length)]
}
