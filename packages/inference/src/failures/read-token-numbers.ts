/** How many tokens a request needed, and how many the model accepts. */
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
/** The numbers of all groups of a pattern are added. */
const ASKED: readonly RegExp[] = [
  /too large: (\d+)\b.*?request has (\d+) input tokens/i,
  /passed (\d+) input tokens(?: and requested (\d+) output tokens)?/i,
  /given: (\d+) `?inputs`? tokens and (\d+) `?max_new_tokens/i,
  /(?:requested|resulted in|request \(|too long: |contains (?:at least )?)\s*(\d+)(?: tokens| input tokens)/i,
]

/** Reads both numbers from a server's message about a prompt that is too long. */
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
