/** The marks that separate the reasoning in the text of a model from its answer. */
export interface ReasoningMarks {
  /** Null: the reasoning is everything before the end. */
  readonly start: string | null
  readonly end: string
  /** Whether reasoning that was begun and not ended stays in the text. */
  readonly keepsUnfinished: boolean
}

/**
 * Removes reasoning from the text of an answer, and white space around the rest. Only the marks of the model's settings count: the tags
 * that judges are known to use are removed by `separateReasoning` of guardrails and `removeLeadingReasoning` of metrics. Blocks between the marks go, and everything before an
 * end without a start, because chat templates can put the start into the prompt. Without a start mark, everything up to the last end goes.
 * A text without marks stays as it is. Takes time linear in the text.
 */
export function removeMarkedReasoning(text: string, { start, end, keepsUnfinished }: ReasoningMarks): string {
  const last = text.lastIndexOf(end)
  if (start === null) {
    if (last !== -1) return text.slice(last + end.length).trim()
    return keepsUnfinished ? text : ""
  }
  if (last === -1 && !text.includes(start)) return text
  const kept = last === -1 ? "" : closedBlocksRemoved(text.slice(0, last + end.length), start, end)
  const rest = last === -1 ? text : text.slice(last + end.length)
  const begun = rest.indexOf(start)
  const answer = begun === -1 || keepsUnfinished ? rest : rest.slice(0, begun)
  return (kept + answer).trim()
}

/** Returns what a text that ends in an end mark has outside its blocks. */
function closedBlocksRemoved(text: string, start: string, end: string): string {
  let kept: string[] = []
  let from = 0
  while (from < text.length) {
    const close = text.indexOf(end, from)
    if (close === -1) break
    const open = text.slice(from, close).indexOf(start)
    if (open === -1) {
      // An end without a start: everything before it was reasoning.
      kept = []
    } else {
      kept.push(text.slice(from, from + open))
    }
    from = close + end.length
  }
  return kept.join("")
}
