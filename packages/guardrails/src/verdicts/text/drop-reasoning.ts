/** An answer without what the model thought aloud before it. */
export interface Spoken {
  readonly text: string
  readonly reasoning: string | null
  /** A block was begun and never ended: what follows its beginning is no answer. */
  readonly isUnclosed: boolean
  /** What stood before closing tags that nothing opened, a piece for each; it may have been an answer that quotes such a tag. */
  readonly dropped: readonly string[]
}

const TAG =
  /<(\/?)\s{0,3}(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)\s{0,3}>|\[(\/?)THINK\]|◁(\/?)think▷/gi

/**
 * Takes reasoning out: blocks that are closed, and everything before a closing tag that none opened. Blocks may be nested; the
 * outermost one counts, and while it is open nothing is an answer.
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
