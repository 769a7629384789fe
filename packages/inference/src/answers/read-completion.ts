import { checkCompletion, type CompletionBody, parseAnswer } from "./completion-body.ts"
import { joinChunks } from "./join-chunks.ts"
import { readChunks } from "./read-chunks.ts"

/**
 * Returns the completion in the text of an answer. A stream of events that was not requested is joined to one.
 * @throws `FailedAnswer` if the answer says that the request failed, and an error if it is not a completion
 */
export async function readCompletion(text: string): Promise<CompletionBody> {
  if (!EVENTS.test(text.slice(0, HEAD))) return checkCompletion(parseAnswer(text))
  const chunks = await Array.fromAsync(readChunks(oneByOne(Buffer.from(text))))
  return checkCompletion(joinChunks(chunks))
}

/** The first line of a stream of events: a field or a comment. */
const EVENTS = /^\s*(?:data|event|id|retry)?:/
const HEAD = 1000

async function* oneByOne(...pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece)
}
