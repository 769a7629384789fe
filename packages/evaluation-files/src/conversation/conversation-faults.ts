import type { ShortEvaluation } from "../short/short-evaluation.ts"

/** Keys that can't be beside `turns`, each with a sentence. */
const NOT_BESIDE: Readonly<Record<string, string>> = {
  output: "no model is asked about outputs that exist already; leave one of them out.",
  prompt: "the turns are the prompt; write its instructions as `system`.",
  prompts: "the turns are the prompt; compare prompts with several files.",
}
const PARTS = ["system", "tools", "state"] as const
const LIMITS = ["turns", "calls", "time"] as const

interface KeyFault {
  readonly pointer: string
  readonly why: string
}

/** Returns the first key that does not fit the turns of a file, or that needs turns. Undefined if there is none. */
export function conversationFault(given: Partial<ShortEvaluation>, format: string | undefined): KeyFault | undefined {
  const { turns, user, limits = {} } = given
  if (turns === undefined && user === undefined) return withoutTurns(given)
  if (turns !== undefined && user !== undefined) {
    return { pointer: "/user", why: "can't be beside 'turns': its model writes all of them; leave one of them out." }
  }
  const beside = Object.keys(NOT_BESIDE).find((key) => given[key as keyof ShortEvaluation] !== undefined)
  const held = turns === undefined ? "user" : "turns"
  if (beside !== undefined) return { pointer: `/${beside}`, why: `can't be beside '${held}': ${NOT_BESIDE[beside]}` }
  if (user !== undefined && user.judge === undefined && given.checks === undefined) return withoutTurns({})
  if (given.cache === true) {
    const why =
      "has no effect in a conversation, whose answers are recorded; leave it out, or write false to record none."
    return { pointer: "/cache", why }
  }
  if (limits.requests !== undefined) {
    const why = "a conversation sends as many requests as its turns and calls need; limit `rows`, `calls` or `cost`."
    return { pointer: "/limits/requests", why }
  }
  if (format === "completions") {
    return { pointer: `/${held}`, why: "a model with the format 'completions' takes a text and knows no conversation." }
  }
  // An empty text is a fault already.
  if (typeof turns === "string" && turns !== "" && !turns.includes("{{")) {
    return {
      pointer: "/turns",
      why: `'${turns}' is not a template; write "{{ ${turns} }}" for the column of this name.`,
    }
  }
  return undefined
}

function withoutTurns(given: Partial<ShortEvaluation>): KeyFault | undefined {
  const part = PARTS.find((key) => given[key] !== undefined)
  const why = "belongs to a conversation, and the file has no 'turns' and no 'user'; write turns: [{ user: … }]."
  if (part !== undefined) return { pointer: `/${part}`, why }
  const limit = LIMITS.find((key) => given.limits?.[key] !== undefined)
  if (limit !== undefined) return { pointer: `/limits/${limit}`, why }
  if (given.checks !== undefined) return undefined
  return { pointer: "", why: "'checks' is missing: write how answers are scored, such as - equals: \"{{ answer }}\"." }
}
