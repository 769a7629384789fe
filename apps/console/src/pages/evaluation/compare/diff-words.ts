/** A part of two texts: in both, only in the first, or only in the second. */
export interface TextPart {
  readonly kind: "same" | "removed" | "added"
  readonly text: string
}

/** Texts with more words are shown one after the other: the work grows with the product of both numbers. */
const MAX_WORDS = 600

/** Returns what changed from one text to another, word by word (the longest common subsequence). */
export function diffWords(before: string, after: string): readonly TextPart[] {
  const [a, b] = [wordsOf(before), wordsOf(after)]
  if (a.length > MAX_WORDS || b.length > MAX_WORDS) {
    return joinParts([
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ])
  }
  const lengths = commonLengths(a, b)
  const parts: TextPart[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && left === right) {
      parts.push({ kind: "same", text: left })
      i += 1
      j += 1
    } else if (left !== undefined && (right === undefined || at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      parts.push({ kind: "removed", text: left })
      i += 1
    } else {
      parts.push({ kind: "added", text: right ?? "" })
      j += 1
    }
  }
  return joinParts(parts)
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
}

/** Returns the length of the longest common subsequence of each pair of ends. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i]
      if (row === undefined) continue
      row[j] = a[i] === b[j] ? at(lengths, i + 1, j + 1) + 1 : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1))
    }
  }
  return lengths
}

function at(lengths: readonly Uint16Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0
}

function joinParts(parts: readonly TextPart[]): readonly TextPart[] {
  const joined: TextPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last?.kind === part.kind) joined[joined.length - 1] = { kind: part.kind, text: last.text + part.text }
    else if (part.text !== "") joined.push(part)
  }
  return joined
}
