import { isJsonObject, listOf } from "@assay/json"
import type { ChatMessage, ConversationEnd } from "@assay/schemas"
import type { RequestTemplate, SourceRow } from "@assay/scoring"
import type { AskedSample, AskOptions } from "../ask.ts"
import type { WorkRecorder } from "../conversation/tools/recorded-work.ts"
import type { CompiledAgent } from "./compile-agent.ts"
import type { AgentTask, DoTask } from "./do-task.ts"
import { readTranscript } from "./transcript/read-transcript.ts"
import { textOfContent, type Transcript } from "./transcript/transcript.ts"
import { turnsOfMessages } from "./transcript/turns-of-messages.ts"

export interface OpenedAgent {
  readonly request: RequestTemplate
  readonly form: CompiledAgent["form"]
  readonly doTask: DoTask
  readonly recorder: WorkRecorder
  /** Names it in messages. */
  readonly by: string
  /** The inputs of its answers besides the task. */
  readonly on: object
}

/** The transcript of a task, or that there was not enough time for one. */
interface DoneTask {
  readonly transcript: Transcript | null
}

/** A task that took too long may end in time the next time. */
function kindOf({ transcript }: Readonly<Record<string, unknown>>) {
  if (transcript === null) return "failure"
  return isJsonObject(transcript) && Array.isArray(transcript["messages"]) ? "answer" : "unusable"
}

/**
 * Lets an agent do the task of a row, and returns what it did as a conversation. A task that takes too long has no answer and is scored.
 * @throws `template_error`; `harness_failed`; `answer_unusable` for a transcript that can't be read; the errors of an endpoint
 */
export async function holdTask(
  { request, form, doTask, recorder, by, on }: OpenedAgent,
  item: SourceRow["item"],
  options: AskOptions,
): Promise<AskedSample> {
  const { messages: asked } = request.render({ item })
  const task: AgentTask = { task: textOfContent(asked.at(-1)?.content) ?? "", messages: asked }
  const { transcript, milliseconds } = await recorder.keep<DoneTask>(
    { name: "agent", by, on: { ...on, form, ...task }, repeat: options.repeat, kindOf },
    async () => {
      const done = await doTask(task, options)
      const read = "isTooSlow" in done ? null : readTranscript(done.text, form)
      return { transcript: read, milliseconds: done.milliseconds }
    },
  )
  return sampleOf({ asked, transcript, milliseconds })
}

interface Held {
  readonly asked: readonly ChatMessage[]
  readonly transcript: Transcript | null
  readonly milliseconds: number
}

function sampleOf({ asked, transcript, milliseconds }: Held): AskedSample {
  const { output_text = null, messages: made = [], usage = null, state } = transcript ?? {}
  // Messages of an agent before its first one of a user belong to the task.
  const begin = made.find(({ role }) => role === "user" || role === "assistant")
  const messages = begin?.role === "user" ? made : [...asked, ...made]
  const end: ConversationEnd = transcript === null ? "limit_time" : "turns"
  const turns = turnsOfMessages(messages)
  const last = turns.at(-1)
  const total = { usage, latency_ms: milliseconds, ...(state === undefined ? {} : { state }) }
  const own = turns.length === 1 && last !== undefined ? [{ ...last, output_text, ...total }] : turns
  return {
    output_text,
    response: responseOf(output_text, messages),
    usage,
    latency_ms: milliseconds,
    finish_reason: transcript === null ? null : "stop",
    messages,
    ...(state === undefined ? {} : { state }),
    end,
    turns: own,
  }
}

/** Returns the answer with all calls, as metrics of single answers read it. */
function responseOf(content: string | null, messages: readonly ChatMessage[]): object {
  const calls = messages.flatMap((message) => listOf(message["tool_calls"]))
  const message = { role: "assistant", content, ...(calls.length === 0 ? {} : { tool_calls: calls }) }
  return { choices: [{ index: 0, message, finish_reason: "stop" }] }
}
