import type { EffectiveData } from "../../configuration/effective-data.ts"
import type { RuleFlow } from "../../configuration/parse-flow.ts"
import { ruleFlows } from "../../configuration/rule-flows.ts"
import { contentText } from "../rail.ts"
import { checkCall } from "./check-call.ts"
import { checkResults } from "./check-results.ts"
import { openPatterns, textsOf, type FindPattern } from "./patterns.ts"
import { runRule, type CheckJson, type ToolRail, type ToolTraffic } from "./rule.ts"
import { callsOf, readArguments, type ToolCall } from "./tool-call.ts"
import { callOfResult, toolExchanges } from "./tool-exchanges.ts"

type Rule = (traffic: ToolTraffic) => Promise<string | null>

interface RuleSetup {
  readonly checkJson: CheckJson
  readonly now: () => number
}

/** Maximum number of calls of an answer, and of results of a request. */
const MAX_CHECKED = 1000

/** Opens the rails over calls of tools, or over their results, in the order of the configuration. */
export function openToolRails(
  data: EffectiveData,
  place: "tool_input" | "tool_output",
  { checkJson, now }: RuleSetup,
): readonly ToolRail[] {
  const placed = ruleFlows(data).filter(({ flow }) => flow.place === place)
  // A flow of several tools is one rail, because answers have one status for each name.
  return [...Map.groupBy(placed, ({ flow }) => flow.name)].map(([name, own]) => {
    const rules = own.map(({ flow, tool }) => openRule(flow, tool, data))
    return { name, run: (traffic: ToolTraffic) => runRule(name, () => firstReason(rules, traffic), now) }
  })

  function openRule(flow: RuleFlow, tool: string | null, of: EffectiveData): Rule {
    if (flow.rule === "calls")
      return (traffic) => everyCall(traffic, (call) => checkCall(call, traffic.declared, checkJson))
    if (flow.rule === "results") return ({ messages }) => Promise.resolve(checkResults(messages))
    const find = openPatterns(of, { place, tool }, checkJson)
    if (place === "tool_input") return (traffic) => searchResults(traffic, tool, find)
    return (traffic) =>
      everyCall(traffic, async (call) => {
        if (call.name !== tool) return null
        // A call that its schema refuses can have its words where nobody looks for them.
        return (await checkCall(call, traffic.declared, checkJson)) ?? find(searchedTexts(call, flow.argument))
      })
  }
}

async function firstReason(rules: readonly Rule[], traffic: ToolTraffic): Promise<string | null> {
  for (const rule of rules) {
    const reason = await rule(traffic)
    if (reason !== null) return reason
  }
  return null
}

async function everyCall(
  { response }: ToolTraffic,
  check: (call: ToolCall) => Promise<string | null>,
): Promise<string | null> {
  const calls = response === null ? [] : callsOf(response)
  if (calls.length > MAX_CHECKED) return `The answer has ${calls.length} calls; ${MAX_CHECKED} are allowed.`
  for (const call of calls) {
    const reason = await check(call)
    if (reason !== null) return reason
  }
  return null
}

/** Returns the JSON of the arguments, and each of their texts, in which nothing is escaped. Without the argument, all are searched. */
function searchedTexts({ text }: ToolCall, argument: string | null): readonly string[] {
  const given = readArguments(text)
  if (given === null) return [text]
  const isScoped = argument !== null && Object.hasOwn(given, argument)
  const value = isScoped ? { [argument]: given[argument] } : given
  return [isScoped ? JSON.stringify(value) : text, ...textsOf(value)]
}

/** Searches the results of a tool. A result that answers no call blocks, because it could be one of this tool. */
async function searchResults(
  { messages }: ToolTraffic,
  tool: string | null,
  find: FindPattern,
): Promise<string | null> {
  const texts: string[] = []
  for (const { calls, results } of toolExchanges(messages)) {
    for (const result of results) {
      const call = callOfResult(calls, result)
      if (call === null) return "A result does not answer exactly one call, so nobody can say of which tool it is."
      if (call.name === tool) texts.push(contentText(result.content))
    }
  }
  if (texts.length > MAX_CHECKED) return `The request has ${texts.length} results; ${MAX_CHECKED} are allowed.`
  return texts.length === 0 ? null : find(texts)
}
