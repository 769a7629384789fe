import { finishReasonOf } from "@assay/schemas"
import { checkCompletion, type CompletionBody, parseAnswer } from "./completion-body.ts"
import { FailedAnswer } from "./failed-answer.ts"
import { joinChunks } from "./join-chunks.ts"
import { type Chunk, readChunks } from "./read-chunks.ts"

/**
 * Returns the completion in the text of an answer. A stream of events that was not requested is joined to one.
 * @throws `FailedAnswer` if the answer says that the request failed, or is a stream that ended before its end, and an error if it is not a completion
 */
export async function readCompletion(text: string): Promise<CompletionBody> {
  if (!EVENTS.test(text.slice(0, HEAD))) return checkCompletion(parseAnswer(text))
  const chunks = await Array.fromAsync(readChunks(oneByOne(Buffer.from(text))))
  if (chunks.length > 0 && !END_MARK.test(text) && !chunks.some(isEnd)) {
    throw new FailedAnswer({ error: { message: "the stream ended before the answer was complete" } })
  }
  return checkCompletion(joinChunks(chunks))
}

/** Returns whether a chunk ends an answer. Some servers leave out the end mark. */
function isEnd({ choices }: Chunk): boolean {
  const list = Array.isArray(choices) ? (choices as readonly ({ readonly finish_reason?: unknown } | null)[]) : []
  return list.some((choice) => finishReasonOf(choice?.finish_reason) !== null)
}

const END_MARK = /\[DONE\]\s*$/

/** The first line of a stream of events: a field or a comment. */
const EVENTS = /^\s*(?:data|event|id|retry)?:/
const HEAD = 1000

async function* oneByOne(...pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece)
}
