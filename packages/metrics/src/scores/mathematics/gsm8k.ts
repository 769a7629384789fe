import { splitAtSpace } from "../split-at-space.ts"

/** Whether an answer of GSM8K has the expected number. */
export interface Gsm8kScores {
  /** 1 if the number after the first `#### ` of the answer is the expected one, else 0. */
  readonly strict: 0 | 1
  /** 1 if the last number of the answer is the expected one, else 0. */
  readonly flexible: 0 | 1
}

const STRICT = /#### (-?[0-9.,]+)/
const FLEXIBLE = /-?[$0-9.,]{2,}|-?[0-9]+/g
/** The number of an answer without a number. No expected number equals it. */
const NONE = "[invalid]"

/**
 * Scores an answer to a word problem as lm-evaluation-harness does with its filters `strict-match` and `flexible-extract` and its
 * `exact_match`. `expected` is the number, or a solution that ends with `#### ` and the number, as in GSM8K.
 * Source: Cobbe et al., arXiv 2110.14168; `lm_eval/tasks/gsm8k/gsm8k.yaml`, version 3.
 */
export function scoreGsm8k(candidate: string, expected: string): Gsm8kScores {
  const target = normalise(expected)
  const scoreOf = (found: string | undefined) => (normalise(trim(found ?? NONE)) === target ? 1 : 0)
  return { strict: scoreOf(STRICT.exec(candidate)?.[1]), flexible: scoreOf(candidate.match(FLEXIBLE)?.at(-1)) }
}

const MARK = "#### "

/** Removes what does not count: commas, dollar signs, the solution before its number, and a full stop at the end. */
function normalise(text: string): string {
  const plain = text.replaceAll(/[,$]/g, "")
  const mark = plain.lastIndexOf(MARK)
  return (mark < 0 ? plain : plain.slice(mark + MARK.length)).replace(/\.(?=\n?$)/, "").toLowerCase()
}

/** Returns a number without the blanks around it, which has none inside. */
function trim(text: string): string {
  return splitAtSpace(text).join(" ")
}
