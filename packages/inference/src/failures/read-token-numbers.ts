/** How many tokens were asked for, and how many the model takes. */
export interface TokenNumbers {
  readonly asked: number | null
  readonly limit: number | null
}

const LIMIT: readonly RegExp[] = [
  /context length (?:is|of) (?:only )?(\d+)/i,
  /must be <=\s*(\d+)/i,
  /available context size \((\d+)/i,
  /> (\d+) maximum/i,
  /(?:maximum|limit)\D{0,30}?(\d+) tokens/i,
  /context (?:window|size|length)\D{0,20}(\d+)/i,
]
/** Each group of a pattern is a part of the sum. */
const ASKED: readonly RegExp[] = [
  /too large: (\d+)\b.*?request has (\d+) input tokens/i,
  /passed (\d+) input tokens(?: and requested (\d+) output tokens)?/i,
  /given: (\d+) `?inputs`? tokens and (\d+) `?max_new_tokens/i,
  /(?:requested|resulted in|request \(|too long: |contains (?:at least )?)\s*(\d+)(?: tokens| input tokens)/i,
]

/** Finds the two numbers in what a server says of a prompt that is too long. */
export function readTokenNumbers(message: string): TokenNumbers {
  return { asked: first(ASKED, message), limit: first(LIMIT, message) }
}

function first(patterns: readonly RegExp[], text: string): number | null {
  for (const pattern of patterns) {
    const found = pattern.exec(text)
    if (found !== null) return found.slice(1).reduce((sum, digits) => sum + Number(digits ?? 0), 0)
  }
  return null
}
