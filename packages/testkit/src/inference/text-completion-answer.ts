import type { FakeLanguage, FakeTextBody } from "./fake-language.ts"
import type { FakeChatReply } from "./fake-model.ts"
import type { InferenceAnswer } from "./inference-request.ts"
import { countWords } from "./split-words.ts"

const CREATED = 1_700_000_000
const DEFAULT_TOKENS = 16

/** Returns the completion of each prompt by a model of text, in the form of vLLM. */
export function languageAnswer(body: FakeTextBody, language: FakeLanguage, number: number): InferenceAnswer {
  const completed = promptsOf(body).map((prompt) => completePrompt(prompt, body, language))
  const choices = completed.map(({ choice }, index) => ({ index, ...choice }))
  const prompt = completed.reduce((sum, one) => sum + one.prompt, 0)
  const completion = completed.reduce((sum, one) => sum + one.completion, 0)
  return textAnswer(body, choices, { number, prompt, completion })
}

/** Returns the reply of a chat model to a text. It has no log-probabilities. */
export function replyAnswer(body: FakeTextBody, reply: FakeChatReply, number: number): InferenceAnswer {
  const text = typeof reply.content === "string" ? reply.content : ""
  const choice = { index: 0, text, logprobs: null, finish_reason: reply.finish_reason ?? "stop" }
  const prompt = countWords(promptsOf(body)[0])
  return textAnswer(body, [choice], { number, prompt, completion: countWords(text) })
}

/** Returns the prompts of a request, which is one text or several. */
export function promptsOf({ prompt }: FakeTextBody): readonly string[] {
  return (Array.isArray(prompt) ? prompt : [prompt]).map((one) => (typeof one === "string" ? one : ""))
}

interface Counted {
  readonly number: number
  readonly prompt: number
  readonly completion: number
}

function textAnswer({ model }: FakeTextBody, choices: readonly object[], counted: Counted): InferenceAnswer {
  const { number, prompt, completion } = counted
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
  const body = { id: `cmpl-${number}`, object: "text_completion", created: CREATED, model, choices, usage }
  const headers = { "content-type": "application/json", "x-request-id": `req-${number}` }
  return { status: 200, headers, body: JSON.stringify(body) }
}

function completePrompt(prompt: string, body: FakeTextBody, language: FakeLanguage) {
  const { begin, gives = "both" } = language
  const { logprobs, max_tokens: limit, prompt_logprobs: ofPrompt } = body
  const before = [...(begin === undefined ? [] : [begin]), ...language.tokenize(prompt)]
  const all = [...before]
  for (let left = typeof limit === "number" ? limit : DEFAULT_TOKENS; left > 0; left--) all.push(language.next(all))
  const echoes = body["echo"] === true && (gives === "both" || gives === "echo")
  const shown = echoes ? 0 : before.length
  const text = (echoes ? prompt : "") + all.slice(before.length).join("")
  const choice = {
    text,
    logprobs: typeof logprobs === "number" ? tokenLogprobs(all, shown, language) : null,
    finish_reason: "length",
    ...(typeof ofPrompt === "number" &&
      (gives === "both" || gives === "prompt_logprobs") && { prompt_logprobs: promptLogprobs(before, language) }),
  }
  return { choice, prompt: before.length, completion: all.length - before.length }
}

/** Returns the log-probabilities of tokens from `first` on. Nothing comes before the first token of a text, so it has none. */
function tokenLogprobs(all: readonly string[], first: number, language: FakeLanguage) {
  const tokens = all.slice(first)
  const offsets = all.map((_, at) => Array.from(all.slice(0, at).join("")).length)
  return {
    tokens,
    text_offset: offsets.slice(first),
    token_logprobs: tokens.map((token, at) =>
      at + first === 0 ? null : language.logprob(all.slice(0, at + first), token),
    ),
    top_logprobs: tokens.map((token, at) => {
      if (at + first === 0) return null
      const before = all.slice(0, at + first)
      const best = language.next(before)
      return { [token]: language.logprob(before, token), [best]: language.logprob(before, best) }
    }),
  }
}

/** Returns log-probabilities as vLLM does: by the number of the token, with its rank. The number says nothing about which one was in the prompt. */
function promptLogprobs(tokens: readonly string[], language: FakeLanguage) {
  return tokens.map((token, at) => {
    if (at === 0) return null
    const before = tokens.slice(0, at)
    const best = language.next(before)
    const entry = (one: string, rank: number) => ({ logprob: language.logprob(before, one), rank, decoded_token: one })
    return best === token
      ? { [tokenId(token)]: entry(token, 1) }
      : { [tokenId(token)]: entry(token, 2), [tokenId(best)]: entry(best, 1) }
  })
}

function tokenId(token: string): number {
  return Array.from(token).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 100_003, 7)
}
