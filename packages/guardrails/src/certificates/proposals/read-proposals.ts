const OPENING = "<prompt>"
const CLOSING = "</prompt>"
/** The rest of a longer answer is not read. */
const MAX_ANSWER = 400_000

/**
 * Returns the prompts between `<prompt>` and `</prompt>` in the answer of a model, at most `limit`, in linear time. One that is not
 * closed is cut off and left out.
 */
export function readProposals(answer: string, limit: number): readonly string[] {
  const text = answer.slice(0, MAX_ANSWER)
  const found: string[] = []
  let from = text.indexOf(OPENING)
  while (from !== -1 && found.length < limit) {
    const end = text.indexOf(CLOSING, from)
    if (end === -1) break
    found.push(text.slice(from + OPENING.length, end).trim())
    from = text.indexOf(OPENING, end)
  }
  return found
}
