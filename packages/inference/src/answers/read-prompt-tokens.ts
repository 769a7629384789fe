import { isLogprob } from "./is-logprob.ts"
import { isSpecial, startsByOffsets, startsByTexts } from "./align-tokens.ts"

/** A token of a prompt. */
export interface PromptToken {
  /** Where it begins in the prompt, as an index of the string. Tokens of one character can begin at the same position. */
  readonly start: number
  /** Where it ends: the start of the next token. */
  readonly end: number
  /** The natural logarithm of its probability after the tokens before it. Null: there are none. */
  readonly logprob: number | null
  /** Whether no other token is more likely there. Null: not known. */
  readonly isLikeliest: boolean | null
}

/** The tokens of each prompt, or the reason why an answer does not contain them, as the second half of a sentence. */
export type PromptTokens = { readonly prompts: readonly (readonly PromptToken[])[] } | { readonly missing: string }

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads the log-probabilities of the tokens of prompts, in the order of the prompts: from `logprobs` of an answer that repeats the
 * prompt (`echo`), or from `prompt_logprobs` of vLLM. A special token that the server puts before a prompt is left out.
 */
export function readPromptTokens(prompts: readonly string[], body: Fields): PromptTokens {
  const choices = listOf(body["choices"]).map(fieldsOf)
  const found: (readonly PromptToken[])[] = []
  for (const [index, prompt] of prompts.entries()) {
    const choice = choices.find((one) => one["index"] === index) ?? choices[index]
    if (choice === undefined) {
      return { missing: `it has ${choices.length} completions of ${prompts.length} prompts` }
    }
    const read = Array.isArray(choice["prompt_logprobs"])
      ? listedTokens(prompt, choice["prompt_logprobs"])
      : echoedTokens(prompt, choice)
    if (typeof read === "string") return { missing: read }
    const wrong = read.find(({ logprob }) => logprob !== null && !isLogprob(logprob))?.logprob
    if (wrong !== undefined) return { missing: `it has the log-probability ${wrong}, which no token can have` }
    found.push(read)
  }
  return { prompts: found }
}

const UNFIT = "its tokens can't be found in the prompt"

function echoedTokens(prompt: string, choice: Fields): readonly PromptToken[] | string {
  const logprobs = fieldsOf(choice["logprobs"])
  const values = listOf(logprobs["token_logprobs"])
  const tokens = listOf(logprobs["tokens"]).map((token) => (typeof token === "string" ? token : ""))
  if (values.length === 0 || tokens.length !== values.length) return "it has no log-probabilities of tokens"
  const { text } = choice
  const position = typeof text === "string" ? text.indexOf(prompt) : -1
  if (typeof text !== "string" || position === -1) return "it has log-probabilities of new tokens only"
  const offsets = listOf(logprobs["text_offset"]).map(Number)
  // Some servers compute offsets from the tokens, and count the parts of one character as several.
  const areOffsets = offsets.length === tokens.length && !tokens.some((token) => token.includes("\uFFFD"))
  const starts =
    (areOffsets ? startsByOffsets(prompt, tokens, offsets) : undefined) ??
    startsByTexts(prompt, withoutNewTokens(tokens, text.length - position - prompt.length))
  if (starts === undefined) return UNFIT
  const tops = listOf(logprobs["top_logprobs"])
  return tokensAt(
    { prompt, mayBegin: tokens[0] === "" || isSpecial(tokens[0] ?? "") },
    starts.map((start, at) => ({
      start,
      logprob: numberOrNull(values[at]),
      isLikeliest: isLikeliest(values[at], tops[at]),
    })),
  )
}

/** Removes the tokens at the end whose texts make up the new text. */
function withoutNewTokens(tokens: readonly string[], length: number): readonly string[] {
  let left = length
  let count = tokens.length
  while (left > 0 && count > 0) {
    left -= tokens[count - 1]?.length ?? 0
    count--
  }
  return tokens.slice(0, count)
}

function isLikeliest(value: unknown, tops: unknown): boolean | null {
  const others = Object.values(fieldsOf(tops)).filter((one) => typeof one === "number")
  return typeof value !== "number" || others.length === 0 ? null : value >= Math.max(...others)
}

/** Reads the list of vLLM: for each token the likeliest ones and itself, by the number of the token. */
function listedTokens(prompt: string, list: readonly unknown[]): readonly PromptToken[] | string {
  const own = list.map((one) => {
    // The number of the token in the prompt is not known. With one likeliest token beside it, the other rank is its own.
    const entries = Object.values(fieldsOf(one)).map(fieldsOf)
    return entries.toSorted((a, b) => (numberOrNull(b["rank"]) ?? 0) - (numberOrNull(a["rank"]) ?? 0))[0]
  })
  const texts = own.map((one) => (typeof one?.["decoded_token"] === "string" ? one["decoded_token"] : null))
  const starts = startsByTexts(prompt, texts)
  if (list.length === 0 || starts === undefined) return UNFIT
  return tokensAt(
    { prompt, mayBegin: true },
    own.map((one, at) => {
      const rank = numberOrNull(one?.["rank"])
      const likeliest = rank === null ? null : rank === 1
      return { start: starts[at] ?? 0, logprob: numberOrNull(one?.["logprob"]), isLikeliest: likeliest }
    }),
  )
}

interface TokensLocation {
  readonly prompt: string
  /** Whether the first token can be a special one before the prompt. */
  readonly mayBegin: boolean
}

/** Adds the ends, and removes a special token at the beginning, which is not a part of the prompt. */
function tokensAt(
  { prompt, mayBegin }: TokensLocation,
  tokens: readonly Omit<PromptToken, "end">[],
): readonly PromptToken[] {
  const all = tokens.map((token, at) => ({ ...token, end: tokens[at + 1]?.start ?? prompt.length }))
  const [first] = all
  return mayBegin && first?.logprob === null && first.end === 0 ? all.slice(1) : all
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {}
}
