import type { FakeChatBody, FakeChatMessage, FakeChatReply, FakeModel } from "../fake-model.ts"

/** The behaviour of a scripted model in a situation. All given patterns have to be found. */
interface ScriptRule {
  /** Patterns of the message of the system, of all messages of the user so far, of the last one, and of the last answer of a tool. */
  readonly system?: string
  readonly conversation?: string
  readonly user?: string
  readonly told?: string
  /** The tool that was called last since the last message of the user; `none` if there was no call. */
  readonly called?: string
  readonly say?: string
  readonly call?: Readonly<Record<string, unknown>>
}

interface CompiledRule {
  readonly patterns: readonly (readonly [part: Part, pattern: RegExp])[]
  readonly called: string | undefined
  readonly say: string | undefined
  readonly call: Readonly<Record<string, unknown>> | undefined
}

const PARTS = ["system", "conversation", "user", "told"] as const
type Part = (typeof PARTS)[number]
const KEYS: ReadonlySet<string> = new Set([...PARTS, "called", "say", "call"])
/** Characters of a part that patterns are matched with. */
const MAX_TEXT = 20_000

/**
 * Reads models that play a script: `{"NAME": [RULE, …]}`. The first rule whose patterns are all found answers, by `say` or by a `call` of tools.
 * `{order}` in them is the group `(?<order>…)` of a pattern, and `{total:number}` alone is one as a number. Patterns ignore case.
 * @throws an error that names the rule
 */
export function readScript(text: string): Readonly<Record<string, FakeModel>> {
  const script: unknown = JSON.parse(text)
  if (typeof script !== "object" || script === null || Array.isArray(script)) {
    throw new Error(
      'A script is an object with a list of rules for each model: {"agent": [{"user": "hello", "say": "Hi."}]}.',
    )
  }
  return Object.fromEntries(
    Object.entries(script).map(([name, rules]: [string, unknown]) => {
      if (!Array.isArray(rules)) throw new Error(`The model '${name}' of the script has no list of rules.`)
      return [name, scriptedModel(rules.map((rule: unknown, at) => compileRule(rule, `Rule ${at + 1} of '${name}'`)))]
    }),
  )
}

function compileRule(given: unknown, where: string): CompiledRule {
  if (typeof given !== "object" || given === null) throw new Error(`${where} is not an object.`)
  const unknown = Object.keys(given).find((key) => !KEYS.has(key))
  if (unknown !== undefined) throw new Error(`${where} has '${unknown}'; it may have ${[...KEYS].join(", ")}.`)
  const rule = given as ScriptRule
  if ((rule.say === undefined) === (rule.call === undefined)) throw new Error(`${where} needs one of 'say' and 'call'.`)
  const patterns = PARTS.flatMap((part) => {
    const written = rule[part]
    if (written === undefined) return []
    try {
      return [[part, new RegExp(written, "iu")] as const]
    } catch (error) {
      throw new Error(`${where} has a pattern '${part}' that is not a regular expression: ${written}.`, {
        cause: error,
      })
    }
  })
  return { patterns, called: rule.called, say: rule.say, call: rule.call }
}

function scriptedModel(rules: readonly CompiledRule[]): FakeModel {
  return ({ messages }) => {
    const situation = situationOf(messages)
    for (const rule of rules) {
      const found = match(rule, situation)
      if (found !== undefined) return replyOf(rule, found, messages.length)
    }
    return { content: "I can't help with that." }
  }
}

interface Situation extends Readonly<Record<Part, string>> {
  readonly called: string
}

function situationOf(messages: FakeChatBody["messages"]): Situation {
  const asked = messages.findLastIndex(({ role }) => role === "user")
  const since = messages.slice(asked + 1)
  const textOf = (role: string, of = messages) =>
    of.filter((one) => one.role === role).map(({ content }) => plain(content))
  return {
    system: textOf("system").join("\n").slice(0, MAX_TEXT),
    conversation: textOf("user").join("\n").slice(-MAX_TEXT),
    user: plain(messages[asked]?.content).slice(0, MAX_TEXT),
    told: (textOf("tool", since).at(-1) ?? "").slice(0, MAX_TEXT),
    called: lastCall(since) ?? "none",
  }
}

function lastCall(messages: readonly FakeChatMessage[]): string | undefined {
  const calls = messages.flatMap((one) => {
    const { tool_calls: made } = one as {
      readonly tool_calls?: readonly { readonly function: { readonly name: string } }[]
    }
    return made ?? []
  })
  return calls.at(-1)?.function.name
}

/** Returns the groups of all patterns, or undefined if one of them is not found. */
function match({ patterns, called }: CompiledRule, situation: Situation): Readonly<Record<string, string>> | undefined {
  if (called !== undefined && called !== situation.called) return undefined
  const groups: Record<string, string> = {}
  for (const [part, pattern] of patterns) {
    const found = pattern.exec(situation[part])
    if (found === null) return undefined
    Object.assign(groups, found.groups)
  }
  return groups
}

function replyOf({ say, call }: CompiledRule, groups: Readonly<Record<string, string>>, at: number): FakeChatReply {
  if (say !== undefined) return { content: fill(say, groups) }
  const toolCalls = Object.entries(call ?? {}).map(([name, args], index) => ({
    id: `call_${at}_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(fill(args, groups)) },
  }))
  return { content: null, toolCalls, finish_reason: "tool_calls" }
}

/** Fills the groups into all texts of a value. */
function fill(value: unknown, groups: Readonly<Record<string, string>>): unknown {
  const number = typeof value === "string" ? /^\{(\w+):number\}$/.exec(value)?.[1] : undefined
  if (number !== undefined) return Number(groups[number])
  if (typeof value === "string") return value.replaceAll(/\{(\w+)\}/g, (mark, name: string) => groups[name] ?? mark)
  if (Array.isArray(value)) return value.map((one) => fill(one, groups))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, groups)]))
}

function plain(content: unknown): string {
  return typeof content === "string" ? content : ""
}
