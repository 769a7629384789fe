import { invalidRequest } from "@assay/schemas"
import { fieldsOf, isJsonObject, listOf } from "@assay/json"
import { agentToolCalls, callsInConversation } from "../agentic/conversation.ts"
import type { ScoreInput } from "../bound-metric.ts"
import { type DefineMetric, type MetricSetup, plainMetric } from "../metric-definition.ts"
import { answerParts } from "../../rows/given-answers.ts"
import { compileStructure, type Structure } from "../../templates/row-template.ts"
import {
  CALL_LIST_KINDS,
  type CallAssertion,
  type CallListKind,
  type ExpectedCall,
  type MadeCall,
  scoreCalls,
} from "./call-assertions.ts"

const KINDS = [...CALL_LIST_KINDS, "never"] as const
/** Maximum number of expected calls: the time to match them grows with the cube of it. */
const MAX_EXPECTED = 200

/**
 * `calls`: whether the tools of a conversation were called as expected, by one of `exact`, `in_order`, `any_order`, `only`, `precision`,
 * `recall` and `never`. Expected calls are names, or `{name, arguments}`.
 */
export const callsMetric: DefineMetric = (setup) => {
  const { params, name } = setup
  const given = KINDS.filter((kind) => params[kind] !== undefined)
  const [kind, second] = given
  const path = name.split(".")
  if (kind === undefined) {
    throw invalidRequest(path, `has no assertion; write one of ${KINDS.join(", ")}.`, "missing", params)
  }
  if (second !== undefined) {
    const why = `has '${kind}' and '${second}'; write two checks, and give the second one a name with \`as:\`.`
    throw invalidRequest([...path, second], why, "extra_forbidden")
  }
  const assertion = kind === "never" ? neverOf(setup) : listOfCalls(kind, setup)
  return plainMetric(setup, {
    scores: ["calls"],
    ranges: { calls: [0, 1] },
    templates: assertion.templates,
    score: (input) => ({ scores: { calls: scoreCalls(callsOf(input), assertion.of(input)) } }),
  })
}

interface CompiledAssertion {
  readonly templates: Structure["templates"]
  readonly of: (input: ScoreInput) => CallAssertion
}

function neverOf({ params, name }: MetricSetup): CompiledAssertion {
  const { never } = params
  const [, tool, before] = typeof never === "string" ? (/^\s*(\S+)(?:\s+before\s+(\S+))?\s*$/.exec(never) ?? []) : []
  if (tool === undefined) {
    const rule = 'is not a rule; write the name of a tool, or "cancel before get_order".'
    throw invalidRequest([...name.split("."), "never"], rule, "value_error", never)
  }
  return { templates: [], of: () => ({ kind: "never", tool, before }) }
}

function listOfCalls(kind: CallListKind, { params, name }: MetricSetup): CompiledAssertion {
  const location = `${name}.${kind}`
  const structure = compileStructure(params[kind], location)
  // Without templates, a fault is found before any row is asked.
  const constant = structure.templates.length === 0 ? readExpected(params[kind], location) : undefined
  return {
    templates: structure.templates,
    of: (input) => ({ kind, calls: constant ?? readExpected(structure.render(input), location) }),
  }
}

/** @throws `invalid_request` for a list that has no calls */
function readExpected(value: unknown, location: string): readonly ExpectedCall[] {
  const path = location.split(".")
  if (!Array.isArray(value)) {
    const rule = "is not a list of calls; write names of tools, or {name, arguments}."
    throw invalidRequest(path, rule, "list_type", value)
  }
  if (value.length > MAX_EXPECTED) {
    throw invalidRequest(path, `has ${value.length} calls; the limit is ${MAX_EXPECTED}.`, "too_long")
  }
  return value.map((one: unknown, at) => {
    if (typeof one === "string") return { name: one }
    const { name, arguments: args } = fieldsOf(one)
    if (typeof name === "string" && (args === undefined || isJsonObject(args))) return { name, arguments: args }
    throw invalidRequest(
      [...path, String(at)],
      "is not a call; write the name of a tool, or {name, arguments}.",
      "type",
    )
  })
}

/** Returns the calls of a conversation or of a turn; for any other row those in its messages and in its answer. */
function callsOf({ item, sample, calls }: ScoreInput): readonly MadeCall[] {
  if (calls !== undefined) return calls
  const messages = listOf(item["messages"] ?? item["user_input"])
  return [...callsInConversation(messages), ...agentToolCalls(answerParts(sample.response).toolCalls)].map(
    ({ name, args }) => ({ name, arguments: args }),
  )
}
