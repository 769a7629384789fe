/** A block of reasoning that was opened and closed. */
export interface ClosedBlock {
  readonly text: string
  /** Whether the answer begins with it, as reasoning does. A tag that is quoted from the judged text can open a later one. */
  readonly isFirst: boolean
}

/** An answer without the reasoning before it. */
export interface Spoken {
  readonly text: string
  readonly reasoning: string | null
  /** A block of reasoning was opened and never closed: the text after its start is not an answer. */
  readonly isUnclosed: boolean
  /** The texts before unopened closing tags, one for each. They may be answers that quote such a tag. */
  readonly dropped: readonly string[]
  readonly blocks: readonly ClosedBlock[]
  /** The text before a heading that ends reasoning. It is one of the dropped texts. */
  readonly headed?: string
}

const TAG =
  /<(\/?)\s{0,3}(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)\s{0,3}>|\[(\/?)THINK\]|◁(\/?)think▷/gi

/** The heading between the reasoning of GuardReasoner and its answers. */
const ANSWERS =
  /^([\s#*_]{0,10}(?:reasoning|step 1)(?![\p{L}\p{N}])[\s\S]*\n)[\s#*_]{0,10}answers[\s*_]{0,6}:[\s*_]{0,6}(?=\n[\s#*_-]{0,10}request[\s*_]{0,6}:)/iu

/**
 * Removes the reasoning before the heading `Answers:`. The heading can be quoted, like a closing tag that nothing opened, so the text
 * before it is kept among the dropped ones.
 */
function dropBeforeAnswers(spoken: Spoken): Spoken {
  const [heading, before] = ANSWERS.exec(spoken.text) ?? []
  if (heading === undefined || before === undefined) return spoken
  return {
    ...spoken,
    text: spoken.text.slice(heading.length),
    reasoning: [spoken.reasoning, before.trim()].filter((text) => text !== null).join("\n"),
    dropped: [...spoken.dropped, before],
    headed: before,
  }
}

/**
 * Separates reasoning from an answer: closed blocks anywhere, and everything before an unopened closing tag. Both parts are kept, because a
 * verdict is also checked against the reasoning and against text that only looks like it. Blocks can be nested; the outermost one counts,
 * and while it is open nothing is an answer.
 */
export function separateReasoning(text: string): Spoken {
  return dropBeforeAnswers(dropBlocks(text))
}

function dropBlocks(text: string): Spoken {
  if (!/think|thought|reason|reflect|scratch/i.test(text))
    return { text, reasoning: null, isUnclosed: false, dropped: [], blocks: [] }
  let kept: string[] = []
  let thoughts: string[] = []
  let block: string[] = []
  const blocks: ClosedBlock[] = []
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
      if (depth === 0) kept.push(piece)
      else {
        thoughts.push(piece)
        block.push(piece)
      }
      depth += isClosing ? -1 : 1
      if (depth > 0) continue
      blocks.push({ text: block.join("\n"), isFirst: blocks.length === 0 && kept.join("").trim() === "" })
      block = []
    }
  }
  if (from === 0) return { text, reasoning: null, isUnclosed: false, dropped: [], blocks: [] }
  ;(depth === 0 ? kept : thoughts).push(text.slice(from))
  return { text: kept.join("\n"), reasoning: thoughts.join("\n").trim(), isUnclosed: depth > 0, dropped, blocks }
}
