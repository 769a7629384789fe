import { fieldsOf, isJsonObject } from "@assay/json"
import type { RowAttempt, RowConversation, ScoreValue } from "@assay/schemas"

export type HeldCall = RowConversation["turns"][number]["calls"][number]

/** The steps of the model within a turn, in their order. */
export type TurnStep =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly call: HeldCall }

/** A score of a turn, with the judge's words. */
export interface TurnScore {
  /** The metric, and the score if the metric has several. */
  readonly name: string
  readonly value: ScoreValue
  /** The label that the judge chose. */
  readonly word: string | undefined
  /** The text of the judge, if it says more than the label. */
  readonly remark: string | undefined
}

/** A turn as it is shown. */
export interface HeldTurn {
  /** From 1. */
  readonly number: number
  readonly user: string
  /** The texts and calls of the model before its answer. */
  readonly steps: readonly TurnStep[]
  /** Null: the conversation ended before an answer. */
  readonly answer: string | null
  readonly scores: readonly TurnScore[]
  readonly latencyMs: number | null
  /** The state after the turn. Undefined: the turn did not change it. */
  readonly state: unknown
}

type Judged = Pick<RowAttempt, "labels" | "unreadable" | "judge_answers">

/** Returns the turns of a conversation as they are read: what was said and called in its order, and the scores and remarks at their turn. */
export function heldTurns(conversation: RowConversation, judged: Judged = {}): readonly HeldTurn[] {
  const { turns, messages } = conversation
  const parts = partsOf(messages)
  // A part begins with each message of the user. Without this, nothing says where a turn begins.
  const isKnown = parts.length === turns.length
  const remarks = remarksOf(conversation, judged)
  let before: string | undefined
  return turns.map((turn, index): HeldTurn => {
    const { user, output_text: answer, calls, latency_ms: latencyMs } = turn
    const steps = isKnown ? stepsOf(parts[index] ?? [], calls, answer) : calls.map(callStep)
    const text = "state" in turn ? JSON.stringify(turn.state) : before
    const isChanged = text !== before && index > 0
    before = text
    return {
      number: index + 1,
      user,
      steps,
      answer,
      scores: scoresOf(conversation, index, { ...judged, remarks }),
      latencyMs,
      state: isChanged ? turn.state : undefined,
    }
  })
}

type Messages = RowConversation["messages"]

function partsOf(messages: Messages): readonly Messages[] {
  const parts: Messages[] = []
  for (const message of messages) {
    if (message.role === "user") parts.push([])
    else parts.at(-1)?.push(message)
  }
  return parts
}

const callStep = (call: HeldCall): TurnStep => ({ kind: "call", call })

function stepsOf(part: Messages, calls: readonly HeldCall[], answer: string | null): readonly TurnStep[] {
  const left = [...calls]
  const steps = part.flatMap((message): TurnStep[] => {
    if (message.role !== "assistant") return []
    const called = fieldsOf(message)["tool_calls"]
    const asked = Array.isArray(called) ? called.length : 0
    const text = textOf(message.content)
    return [...(text === "" ? [] : [{ kind: "text" as const, text }]), ...left.splice(0, asked).map(callStep)]
  })
  const last = steps.at(-1)
  const isAnswer = last?.kind === "text" && last.text === answer
  return [...(isAnswer ? steps.slice(0, -1) : steps), ...left.map(callStep)]
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  return parts
    .flatMap((part) => (isJsonObject(part) && typeof part["text"] === "string" ? part["text"] : []))
    .join("\n")
}

/** By metric and turn: what the judge wrote. */
type Remarks = ReadonlyMap<string, ReadonlyMap<number, string>>

/** Returns what judges wrote about turns. A judge answers the same number of questions about each turn that has its metric. */
function remarksOf({ turns }: RowConversation, { judge_answers: answers = {} }: Judged): Remarks {
  const remarks = Object.entries(answers).map(([metric, texts]) => {
    const judged = turns.flatMap(({ scores }, turn) => (Object.hasOwn(scores, metric) ? [turn] : []))
    const each = texts.length / judged.length
    const found = Number.isInteger(each)
      ? judged.map((turn, at) => [turn, texts.slice(at * each, (at + 1) * each).join("\n\n")] as const)
      : []
    return [metric, new Map(found)] as const
  })
  return new Map(remarks)
}

function scoresOf(
  { turns }: RowConversation,
  index: number,
  { labels = {}, unreadable = {}, remarks }: Judged & { readonly remarks: Remarks },
): readonly TurnScore[] {
  return Object.entries(turns[index]?.scores ?? {}).flatMap(([metric, scores]) => {
    const own = `${metric}@${index + 1}`
    const isOnly = Object.keys(scores).length === 1
    return Object.entries(scores).map(([score, value]): TurnScore => {
      const word = labels[own]?.[score]
      const written = unreadable[own]?.raw ?? remarks.get(metric)?.get(index)
      const isWord = written === undefined || written.trim().toLowerCase() === word?.toLowerCase()
      return { name: isOnly ? metric : `${metric}.${score}`, value, word, remark: isWord ? undefined : written }
    })
  })
}

const ENDS: Readonly<Record<RowConversation["end"], string>> = {
  turns: "All turns were held.",
  stopped: "The user stopped it.",
  limit_turns: "It reached its limit of turns.",
  limit_calls: "It reached its limit of calls.",
  limit_tokens: "It reached its limit of tokens.",
  limit_time: "It reached its limit of time.",
}

/** Says why a conversation ended. */
export function endSentence({ end }: Pick<RowConversation, "end">): string {
  return ENDS[end]
}

/** Returns the number of turns at the beginning that are the same in both: what was said, called and answered. Scores do not count. */
export function turnsInCommon(a: readonly HeldTurn[], b: readonly HeldTurn[]): number {
  const parting = a.findIndex((turn, index) => said(turn) !== said(b[index]))
  return parting === -1 ? a.length : parting
}

function said(turn: HeldTurn | undefined): string | undefined {
  return turn === undefined ? undefined : JSON.stringify([turn.user, turn.steps, turn.answer])
}
