import { costOfTokens, type JobStatusDetails, type TokenPrice, type TokenUsage } from "@assay/schemas"

/** Tokens of several answers, as their endpoint counts them. A missing number is unknown, never 0. */
export interface TokenSums {
  /** Of the answers that say so. */
  readonly prompt: number
  readonly completion: number
  /** Tokens of answers that say only how many they are together. */
  readonly unsplit: number
  /** Answers that do not say how many tokens they took. */
  readonly uncounted: number
}

const NO_TOKENS: TokenSums = { prompt: 0, completion: 0, unsplit: 0, uncounted: 0 }

/** Returns the tokens of one answer. */
function tokensOf(usage: TokenUsage | null): TokenSums {
  const { prompt_tokens: prompt = null, completion_tokens: completion = null, total_tokens: total = null } = usage ?? {}
  if (prompt !== null && completion !== null) return { ...NO_TOKENS, prompt, completion }
  if (total !== null) return { ...NO_TOKENS, unsplit: total }
  return { ...NO_TOKENS, prompt: prompt ?? 0, completion: completion ?? 0, uncounted: 1 }
}

function addTokens(one: TokenSums, other: TokenSums): TokenSums {
  return {
    prompt: one.prompt + other.prompt,
    completion: one.completion + other.completion,
    unsplit: one.unsplit + other.unsplit,
    uncounted: one.uncounted + other.uncounted,
  }
}

/** Returns how many tokens were counted. */
function countedTokens({ prompt, completion, unsplit }: TokenSums): number {
  return prompt + completion + unsplit
}

/** Returns what tokens cost. Undefined: not known, because an answer does not say how many tokens of each kind it took. */
function costOfSums(price: TokenPrice, tokens: TokenSums): number | undefined {
  return tokens.unsplit + tokens.uncounted > 0 ? undefined : costOfTokens(price, tokens)
}

/** Returns the limit that these tokens do not allow to count. */
function uncountableLimit(
  { max_tokens, max_cost }: { readonly max_tokens?: number | undefined; readonly max_cost?: number | undefined },
  { unsplit, uncounted }: TokenSums,
): "max_tokens" | "max_cost" | undefined {
  if (max_tokens !== undefined && uncounted > 0) return "max_tokens"
  return max_cost !== undefined && uncounted + unsplit > 0 ? "max_cost" : undefined
}

/** Returns sums in the form of a job's record. A sum of which nothing is known is null. */
function tokensRecord(tokens: TokenSums): NonNullable<JobStatusDetails["tokens"]> {
  const { prompt, completion, unsplit, uncounted } = tokens
  const known = (sum: number, isUnknown: boolean) => (sum === 0 && isUnknown ? null : sum)
  const total = known(countedTokens(tokens), uncounted > 0)
  const parts = {
    prompt: known(prompt, unsplit + uncounted > 0),
    completion: known(completion, unsplit + uncounted > 0),
  }
  return unsplit + uncounted === 0 ? parts : { ...parts, total, uncounted }
}

/** The operations on sums of tokens. */
export const tokenSums = Object.freeze({
  none: NO_TOKENS,
  of: tokensOf,
  add: addTokens,
  counted: countedTokens,
  cost: costOfSums,
  uncountable: uncountableLimit,
  record: tokensRecord,
})
