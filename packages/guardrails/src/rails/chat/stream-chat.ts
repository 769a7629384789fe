import { fieldsOf } from "@assay/json"
import type { ChatBody } from "@assay/schemas"
import { judgesAnswers, mainRequest, toolsOf, type OpenedRails } from "../opened-rails.ts"
import type { RailOutcome } from "../rail.ts"
import { checkKnown, linkSignal, statusOf } from "../run-rails.ts"
import { streamMain, type MainOptions } from "./ask-main.ts"
import { blockedChunk, blockedUsageChunk, type BlockedAnswerOptions } from "./blocked-answer.ts"
import { joinToolCalls, type Chunk } from "./chunk-delta.ts"
import { judgeRequest, judgeResponse } from "./judge-chat.ts"
import { judgedParts } from "./judged-parts.ts"
import { releaseWindows, type Window } from "./release-windows.ts"

/** Runs the input rails, then yields the model's chunks; with output rails, only those of windows that pass. */
export async function* streamChat(
  opened: OpenedRails,
  chat: ChatBody,
  { signal: outerSignal, callerRetries }: MainOptions,
): AsyncGenerator<Chunk> {
  const main = opened.getMain(chat.model)
  const request = mainRequest(opened, main, chat)
  const declared = toolsOf(opened, chat)
  const { refusal, context, contextSize } = opened
  // Rules judge calls only, so texts need not wait.
  const chunkSize = opened.output.length === 0 ? 1 : opened.chunkSize
  const { signal, cancel } = linkSignal(outerSignal)

  async function judge(text: string, { toolCalls }: Window): Promise<boolean> {
    const calls = toolCalls.length === 0 ? {} : { tool_calls: joinToolCalls(toolCalls) }
    const response = { role: "assistant", content: text, ...calls }
    return mayPass(await judgeResponse(opened, chat.messages, { response, declared, signal }))
  }

  try {
    if (!mayPass(await judgeRequest(opened, chat.messages, { declared, signal }))) {
      yield* blockedChunks(chat, { refusal, model: main.model, answered: null, context }, null)
      return
    }
    let usage: unknown = null
    const noted = (chunk: Chunk) => (usage = chunk["usage"] ?? usage)
    const answered = withModelName(streamMain(main, request, { signal, callerRetries }), main.model, noted)
    if (!judgesAnswers(opened)) {
      yield* answered
      return
    }
    const chunks = withJudgedParts(answered)
    let last: Chunk | null = null
    for await (const chunk of releaseWindows(chunks, { chunkSize, contextSize, judge })) {
      if (chunk === null) yield* blockedChunks(chat, { refusal, model: main.model, answered: last, context }, usage)
      else yield (last = chunk)
    }
  } finally {
    cancel()
  }
}

/** Yields the end of a blocked stream, with its usage if the chat asks for it. */
function* blockedChunks(chat: ChatBody, options: BlockedAnswerOptions, usage: unknown): Generator<Chunk> {
  yield blockedChunk(options)
  if (fieldsOf(chat["stream_options"])["include_usage"] === true) yield blockedUsageChunk(options, usage)
}

/** Sets the model name in each chunk to the name that was asked, regardless of the endpoint's name for it. */
async function* withModelName(
  chunks: AsyncIterable<Chunk>,
  model: string,
  noted: (chunk: Chunk) => void,
): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    noted(chunk)
    yield chunk["model"] === model ? chunk : { ...chunk, model }
  }
}

async function* withJudgedParts(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) yield judgedParts(chunk)
}

/** Returns whether no rail blocks. @throws if a rail is undecided and its policy is `error` */
function mayPass(outcomes: readonly RailOutcome[]): boolean {
  checkKnown(outcomes)
  return statusOf(outcomes.map(({ rail }) => rail)) !== "blocked"
}
