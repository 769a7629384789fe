const NAMES = "think|thinking|thoughts?|reasoning|reflection|scratchpad"
const OPENING = new RegExp(String.raw`^\s*(?:<(?:${NAMES})>|\[THINK\]|◁think▷)`, "i")
const TAG = new RegExp(String.raw`<(/?)(?:${NAMES})>|\[(/?)THINK\]|◁(/?)think▷`, "gi")

/**
 * Removes the blocks of reasoning at the beginning of an answer. Unlike `separateReasoning` of guardrails, it leaves later blocks in the text.
 * Undefined: a block at the beginning is never closed. A closing tag that nothing opened may be quoted, so the text before it is kept.
 */
export function removeLeadingReasoning(text: string): string | undefined {
  let answer = text
  while (OPENING.test(answer)) {
    let depth = 0
    let end: number | undefined
    for (const tag of answer.matchAll(TAG)) {
      depth += (tag[1] ?? tag[2] ?? tag[3]) === "/" ? -1 : 1
      if (depth > 0) continue
      end = tag.index + tag[0].length
      break
    }
    if (end === undefined) return undefined
    answer = answer.slice(end)
  }
  return answer
}
