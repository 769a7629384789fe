import { fieldsOf, listOf } from "@assay/json"
import type { PromptToken } from "@assay/inference"
import { countPieces, createExactSum, splitAtSpace, trimEndAtSpace, trimStartAtSpace } from "@assay/metrics"
import { AssayError, type EvaluationSample } from "@assay/schemas"

/** A text and what comes before it. */
export interface Continuation {
  readonly context: string
  readonly text: string
}

/** How likely a text is after its context. */
export interface TextLikelihood {
  /** As it was asked, without its context. */
  readonly text: string
  /** The natural logarithm of the probability of its tokens. */
  readonly logprob: number
  readonly tokens: number
  /** Whether each of its tokens is the likeliest at its position. Null: the endpoint does not tell. */
  readonly is_greedy: boolean | null
  /** Pieces between white space of the part that was scored, as Python splits it. */
  readonly words: number
  /** Bytes in UTF-8 of the part that was scored. */
  readonly bytes: number
}

/**
 * Computes the log-likelihood of a text from the tokens of context and text together. Blanks at the end of the context belong to the
 * text, because tokens begin with them. A token with characters of both belongs to the text.
 *
 * The first token of a prompt has no log-probability if nothing precedes it. It is left out, together with its characters.
 * @throws `bad_response` if another token has none, `rows_invalid` if nothing is left
 */
export function textLikelihood({ context, text }: Continuation, tokens: readonly PromptToken[]): TextLikelihood {
  const boundary = trimEndAtSpace(context).length
  const own = tokens.filter(({ start, end }) => start >= boundary || end > boundary)
  const isCut = own[0] === tokens[0] && own[0]?.logprob === null
  const scored = isCut ? own.slice(1) : own
  const position = isCut ? (own[0]?.end ?? 0) : context.length
  const part = (context + text).slice(position)
  if (scored.length === 0 || splitAtSpace(part).length === 0) {
    const rule = "has no token with a log-probability; give it more text, or a context before it"
    throw new AssayError("rows_invalid", `The text '${text.slice(0, 80)}' ${rule}.`)
  }
  const logprob = createExactSum()
  for (const { logprob: one, start } of scored) {
    if (one === null) {
      throw new AssayError(
        "bad_response",
        `The endpoint returns no log-probability for the token at character ${start}.`,
      )
    }
    logprob.add(one)
  }
  const isWhole = context === "" && !isCut
  return {
    text,
    logprob: logprob.value(),
    tokens: scored.length,
    is_greedy: scored.some(({ isLikeliest }) => isLikeliest === null)
      ? null
      : scored.every(({ isLikeliest }) => isLikeliest === true),
    // A whole text is counted as lm-evaluation-harness counts it. Blanks that join a part to the text before it are not a word.
    words: countPieces(isWhole ? part : trimStartAtSpace(part)),
    bytes: Buffer.byteLength(part),
  }
}

/** The likelihoods of a row, as its sample stores them. */
export interface RowLikelihoods {
  readonly texts: readonly TextLikelihood[]
  /** The choices without what joins them to the context; empty if the texts are not choices. */
  readonly choices: readonly string[]
  /** The number of the right choice, from 0. Null: they are not choices. */
  readonly answer: number | null
}

/** Reads the likelihoods of a sample. @throws `rows_invalid` if it has none, because no model was asked for them */
export function likelihoodsOf({ response }: EvaluationSample): RowLikelihoods {
  const { texts, choices, answer } = fieldsOf(response)
  const read = listOf(texts).map((one) => fieldsOf(one))
  if (read.length === 0 || read.some(({ logprob }) => typeof logprob !== "number")) {
    const rule = "the metric is for tasks of the types 'loglikelihood' and 'multiple-choice'"
    throw new AssayError("rows_invalid", `The sample has no log-likelihoods: ${rule}.`)
  }
  return {
    texts: read as readonly object[] as readonly TextLikelihood[],
    choices: listOf(choices).filter((choice) => typeof choice === "string"),
    answer: typeof answer === "number" ? answer : null,
  }
}

/** Returns the number of the highest value; of equal ones, the first. */
export function likeliest(values: readonly number[]): number {
  return values.indexOf(Math.max(...values))
}
