import { removeLeadingReasoning } from "@assay/metrics"
import {
  answerEnd,
  AssayError,
  type ChatMessage,
  type ConversationTurn,
  isAssayError,
  type SimulatedUserRecord,
} from "@assay/schemas"
import { completeAdaptively, type OpenedModel, type RunParams, type SourceRow } from "@assay/scoring"
import type { AskOptions } from "../ask.ts"
import { type CompiledUser, STOP } from "./compile-user.ts"
import type { AskedModel } from "./tools/asked-model.ts"

/** The models of a simulated user, opened. */
export interface OpenedUser {
  readonly plan: CompiledUser
  readonly model: OpenedModel
  readonly judge: OpenedModel | undefined
  readonly callLimits: RunParams["callLimits"]
}

/** The simulated user of one conversation. */
export interface UserOfConversation {
  /** Returns the next message; undefined if the user ends the conversation. @throws the errors of its model; `answer_unusable` if it writes nothing */
  next(turns: readonly ConversationTurn[], options: AskOptions): Promise<string | undefined>
  /** Lets its judge read the conversation, if it has one. @throws the errors of the judge */
  end(turns: readonly ConversationTurn[], options: AskOptions): Promise<SimulatedUserRecord>
}

/** The user answers to messages, and the first one comes from nobody. */
const BEGIN = "(Begin the conversation with your first message.)"
/** Shown to the user instead of an answer without a text. */
const NO_ANSWER = "(no answer)"

export function createUser(opened: OpenedUser, item: SourceRow["item"]): UserOfConversation {
  const { plan, model, judge, callLimits } = opened
  const { system, facts } = plan.tell(item)
  const messages: ChatMessage[] = [{ role: "system", content: system }]
  const ask = async (asked: AskRequest, options: AskOptions): Promise<AskedAnswer> => {
    const { signal, onRetry, repeat } = options
    const { plan: own, parameters = own.parameters, ours = [] } = asked
    const request = { messages: asked.messages, parameters, ours }
    const answer = await completeAdaptively(asked.model, request, { signal, onRetry, repeat, ...callLimits }).catch(
      (error: unknown) => Promise.reject(ofUser(error)),
    )
    const isCut = answerEnd(answer.finishReason) === "cut"
    return { text: own.withoutReasoning(answer.text ?? "").trim(), isCut }
  }
  return {
    async next(turns, options) {
      const last = turns.at(-1)
      messages.push({ role: "user", content: last === undefined ? BEGIN : (last.output_text ?? NO_ANSWER) })
      const { text, isCut } = await ask({ model, plan: plan.model, messages: [...messages] }, options)
      messages.push({ role: "assistant", content: text })
      if (text.includes(STOP) && turns.length > 0) return undefined
      if (text !== "" && !text.includes(STOP)) return text
      const nothing = isCut ? "wrote nothing before its token limit" : "wrote nothing"
      const what = text === "" ? nothing : "ended the conversation before its first message"
      throw new AssayError("answer_unusable", `The simulated user ${what}; check its model, goal and stop rule.`)
    },
    async end(turns, options) {
      if (judge === undefined || plan.judge === undefined) return { messages }
      const { parameters } = plan.judge
      const asked = {
        model: judge,
        plan: plan.judge,
        messages: judgeMessages(facts, turns),
        parameters: { temperature: 0, ...parameters },
        ours: "temperature" in parameters ? [] : ["temperature"],
      }
      const verdict = await ask(asked, options)
      return { messages, kept_facts: readVerdict(verdict), verdict: verdict.text.slice(0, MAX_VERDICT) }
    },
  }
}

interface AskRequest {
  readonly model: OpenedModel
  readonly plan: AskedModel
  /** Default: those of the plan. */
  readonly parameters?: AskedModel["parameters"]
  /** Parameters that no user has set. */
  readonly ours?: readonly string[]
  readonly messages: readonly ChatMessage[]
}

interface AskedAnswer {
  /** Without the reasoning that is removed. */
  readonly text: string
  /** Whether the token limit ended it. */
  readonly isCut: boolean
}

/** Characters of a verdict that are kept. */
const MAX_VERDICT = 1000

function judgeMessages(facts: string, turns: readonly ConversationTurn[]): readonly ChatMessage[] {
  const rule =
    "A simulated user was told the facts below, and may say nothing else about itself. Does everything that the user says agree with them, without an invented fact? " +
    "Wishes, questions and what the assistant said before are no facts. Answer with one word: yes or no."
  const said = turns.map(({ user, output_text }) => `user: ${user}\nassistant: ${output_text ?? NO_ANSWER}`).join("\n")
  return [
    { role: "system", content: `${rule}\n\nFacts:\n${facts === "" ? "(none)" : facts}` },
    { role: "user", content: said },
  ]
}

/** A verdict that stands alone, at the beginning or at the end of an answer. The `no` in `There are no such facts` is not a verdict. */
const ALONE = /^[^\p{L}\p{N}]*(?:yes|no)(?:\s*$|[^\S\n]*[^\p{L}\p{N}\s]|\n)|[.:;,\n]\P{L}{0,20}(?:yes|no)\P{L}{0,20}$/iu

/** Reads the word `yes` or `no` of an answer after its reasoning. Null if it has none or both, or if it is cut: the word may be a part of its reasoning. */
function readVerdict({ text, isCut }: AskedAnswer): boolean | null {
  const spoken = isCut ? undefined : removeLeadingReasoning(text)
  if (spoken === undefined || !ALONE.test(spoken)) return null
  const words = new Set((spoken.match(/\b(?:yes|no)\b/gi) ?? []).map((word) => word.toLowerCase()))
  return words.size === 1 ? words.has("yes") : null
}

/** Says in an error that it is not one of the target. */
function ofUser(error: unknown): unknown {
  if (!isAssayError(error)) return error
  const { code, message, context } = error
  return new AssayError(code, `The simulated user: ${message}`, { context, cause: error })
}
