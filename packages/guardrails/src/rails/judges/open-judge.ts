import type { ChatAnswer, InferenceClient } from "@assay/inference"
import { isAssayError, type ChatMessage, type JudgeFamily } from "@assay/schemas"
import type { ThinkTokens } from "../../configuration/plan-judge.ts"
import type { JudgedName } from "../../configuration/shown-parts.ts"
import type { JudgeAnswer, JudgeOptions } from "../../judge.ts"
import { readingForDirection, type RailDirection, type VerdictReading } from "../../verdict-reading.ts"
import { parseVerdict } from "../../verdicts/parse-verdict.ts"
import type { RailInput } from "../rail.ts"
import { askJudge } from "./ask-judge.ts"
import type { EndpointMemory } from "./judge-parameters.ts"
import { verdictRisk } from "./verdict-risk.ts"

export interface JudgeSetup {
  readonly flow: string
  readonly direction: RailDirection
  readonly client: InferenceClient
  readonly memory: EndpointMemory
  /** Null: the family is detected. */
  readonly family: JudgeFamily | null
  /** The form that the prompt asks for. A JSON form is requested from the endpoint as a schema. */
  readonly form: JudgeFamily | null
  /** The parameters of the model. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly maxTokens: number | undefined
  /** The marks around the judge's reasoning, if they are not the usual ones. */
  readonly thinkTokens: ThinkTokens | null
  readonly render: (input: RailInput) => readonly ChatMessage[]
  /** The texts whose parts the prompt shows, such as images. */
  readonly shown: ReadonlySet<JudgedName>
  /** Returns milliseconds, for durations. */
  readonly now: () => number
}

/** A judge: it renders its prompt, asks once, and reads the answer once. */
export type Judge = (input: RailInput, options: JudgeOptions) => Promise<JudgeAnswer>

/** Opens a judge. Everything that does not depend on the question is prepared here. */
export function openJudge(setup: JudgeSetup): Judge {
  const {
    flow,
    direction,
    client,
    memory,
    family,
    form,
    parameters: own,
    maxTokens,
    thinkTokens,
    render,
    shown: shownNames,
    now,
  } = setup
  const schema = "response_format" in own ? null : verdictSchema(form, direction)
  const judged = direction === "input" ? "user_input" : "bot_response"
  const reader = family === null ? { direction } : { direction, family }

  /** Rounds to hundredths of a millisecond, since smaller differences are noise. */
  const millisecondsSince = (start: number) => Math.round((now() - start) * 100) / 100

  return async (input, { signal, logprobs = false, prompts = false }) => {
    const start = now()
    if (input.parts?.[judged] !== undefined && !shownNames.has(judged)) {
      return { flow, reading: notShown(input[judged]), error: null, raw: null, latencyMs: 0, usage: null }
    }
    let shown: Pick<JudgeAnswer, "prompt"> = {}
    try {
      const messages = render(input)
      if (prompts) shown = { prompt: messages }
      const parameters = { own, maxTokens, schema, logprobs }
      const answer = await askJudge(client, memory, {
        messages,
        parameters,
        signal,
      })
      const read = readingForDirection(parseVerdict(judgedMessage(answer, thinkTokens), reader), direction)
      const found = { ...withRisk(read, answer, direction), ...shown }
      return { flow, error: null, raw: answer.text, latencyMs: millisecondsSince(start), usage: answer.usage, ...found }
    } catch (error) {
      signal?.throwIfAborted()
      if (!isAssayError(error)) throw error
      return { flow, reading: null, error, raw: null, latencyMs: millisecondsSince(start), usage: null, ...shown }
    }
  }
}

/** Returns the reading for a part of the message, such as an image, that the judge would not see: its verdict would be about the rest only. */
function notShown(text: string): VerdictReading {
  return { verdict: null, unreadable: { reason: "not_shown", raw: text.slice(0, SHOWN) }, family: null }
}

/** How many characters of a message are shown. */
const SHOWN = 4000

function judgedMessage({ text, reasoning, refusal, finishReason, toolCalls }: ChatAnswer, thinks: ThinkTokens | null) {
  // The usual tags are recognised when the verdict is read.
  const content =
    thinks === null || text === null
      ? text
      : text.replaceAll(thinks.start, "<think>").replaceAll(thinks.end, "</think>")
  return { content, reasoning, refusal, finish_reason: finishReason, tool_calls: toolCalls }
}

/**
 * Adds the risk that the tokens show, which is also the verdict's score. A word that is not the verdict was found elsewhere, for
 * example in a quotation.
 */
function withRisk(
  reading: VerdictReading,
  { logprobs }: ChatAnswer,
  direction: RailDirection,
): Pick<JudgeAnswer, "reading" | "risk"> {
  if (reading.verdict === null || logprobs === null) return { reading }
  const found = verdictRisk(logprobs, reading.family, direction)
  const safety = direction === "input" ? reading.verdict.user_safety : reading.verdict.response_safety
  if (found === null || found.said !== safety) return { reading }
  const { risk } = found
  return { reading: { ...reading, verdict: { ...reading.verdict, score: risk } }, risk }
}

const SAFETY = { type: "string", enum: ["safe", "unsafe"] }

/** Returns the `response_format` for a judge of a JSON family, or null for other families. */
function verdictSchema(form: JudgeFamily | null, direction: RailDirection): Readonly<Record<string, unknown>> | null {
  if (form === "user-safety-json") {
    const sides = direction === "input" ? ["User Safety"] : ["User Safety", "Response Safety"]
    const properties = Object.fromEntries(sides.map((side) => [side, SAFETY]))
    return responseFormat({ ...properties, "Safety Categories": { type: "string" } }, sides)
  }
  if (form === "flagged-json") return responseFormat({ flagged: { type: "boolean" } }, ["flagged"])
  return null
}

function responseFormat(properties: Readonly<Record<string, unknown>>, required: readonly string[]) {
  const schema = { type: "object", properties, required, additionalProperties: false }
  return { type: "json_schema", json_schema: { name: "verdict", schema } }
}
