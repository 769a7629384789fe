import { diffArrays } from "diff"

/** A part of two texts: in both, only in the first, or only in the second. */
export interface TextPart {
  readonly kind: "same" | "removed" | "added"
  readonly text: string
}

/** Texts with more words, or with more different ones, are shown one after the other. The work grows with the product of both numbers. */
const MAX_WORDS = 600
const MAX_DIFFERENT = 800

/** Returns what changed from one text to another, word by word (the longest common subsequence). */
export function diffWords(before: string, after: string): readonly TextPart[] {
  const a = wordsOf(before)
  const b = wordsOf(after)
  const isLong = a.length > MAX_WORDS || b.length > MAX_WORDS
  const changes = isLong ? undefined : diffArrays(a, b, { maxEditLength: MAX_DIFFERENT })
  if (changes !== undefined) {
    return changes.map(({ added, removed, value }) => ({
      kind: added ? "added" : removed ? "removed" : "same",
      text: value.join(""),
    }))
  }
  const parts: readonly TextPart[] = [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ]
  return parts.filter(({ text }) => text !== "")
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
}
