const FENCE = /^[ \t]{0,3}(`{3,}|~{3,})[^\n`]*\n/m

/**
 * Returns the code of an answer: the content of its first fenced block, up to the end of the answer if the block is not closed, or the whole answer
 * if it has none. Takes time linear in the text.
 */
export function codeIn(answer: string): string {
  const open = FENCE.exec(answer)
  if (open === null) return answer
  const fence = open[1] ?? ""
  const content = answer.slice(open.index + open[0].length)
  const lines = content.split("\n")
  const end = lines.findIndex((line) => {
    const text = line.trim()
    return text.length >= fence.length && text === fence.charAt(0).repeat(text.length)
  })
  return end < 0 ? content : lines.slice(0, end).join("\n")
}

interface ProgramParts {
  /** The text before the code, such as imports and the head of a function; empty if it stands alone. */
  readonly prompt: string
  readonly code: string
  readonly tests: string
  /** The function that `check` of the tests is called with. Undefined: the tests call it themselves. */
  readonly entryPoint: string | undefined
}

/** Puts a program together as HumanEval does: the prompt, the code, its tests, and the call of `check`. */
export function programText({ prompt, code, tests, entryPoint }: ProgramParts): string {
  const call = entryPoint === undefined ? "" : `check(${entryPoint})\n`
  return `${prompt}${code}\n${tests}\n${call}`
}
