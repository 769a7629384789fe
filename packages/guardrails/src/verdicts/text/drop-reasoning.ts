/** An answer without the reasoning before it. */
export interface Spoken {
  readonly text: string
  readonly reasoning: string | null
  /** A block of reasoning was opened and never closed: the text after its start is not an answer. */
  readonly isUnclosed: boolean
  /** The texts before unopened closing tags, one for each. They may be answers that quote such a tag. */
  readonly dropped: readonly string[]
}

const TAG =
  /<(\/?)\s{0,3}(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)\s{0,3}>|\[(\/?)THINK\]|◁(\/?)think▷/gi

/**
 * Removes reasoning: closed blocks, and everything before an unopened closing tag. Blocks can be nested; the outermost one counts,
 * and while it is open nothing is an answer.
 */
export function dropReasoning(text: string): Spoken {
  if (!/think|thought|reason|reflect|scratch/i.test(text))
    return { text, reasoning: null, isUnclosed: false, dropped: [] }
  let kept: string[] = []
  let thoughts: string[] = []
  const dropped: string[] = []
  let depth = 0
  let from = 0
  for (const tag of text.matchAll(TAG)) {
    const piece = text.slice(from, tag.index)
    from = tag.index + tag[0].length
    const isClosing = (tag[1] ?? tag[2] ?? tag[3]) === "/"
    if (isClosing && depth === 0) {
      const ended = [...kept, piece].join("\n")
      dropped.push(ended)
      thoughts = [ended]
      kept = []
    } else {
      ;(depth === 0 ? kept : thoughts).push(piece)
      depth += isClosing ? -1 : 1
    }
  }
  if (from === 0) return { text, reasoning: null, isUnclosed: false, dropped: [] }
  ;(depth === 0 ? kept : thoughts).push(text.slice(from))
  return { text: kept.join("\n"), reasoning: thoughts.join("\n").trim(), isUnclosed: depth > 0, dropped }
}
