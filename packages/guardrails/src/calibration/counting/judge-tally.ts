import { createGrowingArray } from "./growing-array.ts"
import type { JudgedPrompt } from "../asking/judged-prompt.ts"
import type { LabelledPrompt } from "../prompts/labelled-prompt.ts"

export type Outcome = JudgedPrompt["outcome"]

/** A prompt whose verdict differs from its label, or that has no verdict. */
export interface JudgedExample {
  readonly row: number
  readonly id?: string
  readonly prompt: string
  readonly response?: string
  readonly category?: string
  readonly language?: string
  readonly raw: string | null
  readonly reason?: string
}

/**
 * The answers of one judge, in a few bytes for each row, and some examples. Rates count the first answer to each row: these
 * answers are independent of each other, and they are what a user would see. Repeats count for flips and votes only.
 */
export interface JudgeTally {
  readonly name: string
  record(index: number, row: LabelledPrompt, repeat: number, judged: JudgedPrompt): void
  outcome(row: number): Outcome | null
  isLetThrough(row: number): boolean
  /** Counts verdicts over all repeats. */
  votes(row: number): { readonly blocks: number; readonly verdicts: number }
  /** Returns NaN if the row has no score. */
  score(row: number): number
  readonly hasScores: boolean
  /** Returns the probability of harm by log-probabilities, or NaN if the row has none. */
  risk(row: number): number
  readonly reasons: ReadonlyMap<string, number>
  readonly errors: ReadonlyMap<string, number>
  readonly latencies: Iterable<number>
  /** Null: the endpoint does not count those of every answer. */
  readonly tokens: { readonly prompt: number; readonly completion: number } | null
  readonly calls: { readonly made: number; readonly saved: number }
  /** The number of answers over all repeats. */
  readonly answers: number
  readonly failures: number
  readonly blockedSafe: readonly JudgedExample[]
  readonly missedUnsafe: readonly JudgedExample[]
  readonly unreadable: readonly JudgedExample[]
  readonly failed: readonly JudgedExample[]
}

const OUTCOMES: readonly (Outcome | null)[] = [null, "pass", "block", "unreadable", "error"]
const LET_THROUGH = 8
const MAX_EXAMPLES = 200
const MAX_EVIDENCE = 20
const MAX_TEXT = 2_000

export function createJudgeTally(name: string): JudgeTally {
  const first = createGrowingArray((length) => new Uint8Array(length))
  const blocks = createGrowingArray((length) => new Uint16Array(length))
  const verdicts = createGrowingArray((length) => new Uint16Array(length))
  const scores = createGrowingArray((length) => new Float64Array(length), Number.NaN)
  const risks = createGrowingArray((length) => new Float64Array(length), Number.NaN)
  const latencies = createGrowingArray((length) => new Float32Array(length))
  const examples = createExamples()
  const tokens = createTokens()
  const calls = { made: 0, saved: 0 }
  let answers = 0
  let failures = 0
  let hasScores = false

  const recordFirst = (index: number, row: LabelledPrompt, judged: JudgedPrompt) => {
    first.set(index, OUTCOMES.indexOf(judged.outcome) | (judged.is_let_through ? LET_THROUGH : 0))
    if (judged.score !== undefined) {
      scores.set(index, judged.score)
      hasScores = true
    }
    if (judged.risk !== undefined) risks.set(index, judged.risk)
    noteExample(examples, { index, row, judged })
  }

  return {
    name,
    record(index, row, repeat, judged) {
      if (repeat === 0) recordFirst(index, row, judged)
      if (judged.outcome === "block") blocks.set(index, blocks.get(index) + 1)
      if (judged.outcome === "block" || judged.outcome === "pass") verdicts.set(index, verdicts.get(index) + 1)
      // A refused connection is quick. Its latency would make a failing endpoint look fast.
      if (judged.outcome === "error") failures++
      else latencies.set(answers++, judged.latency_ms)
      tokens.add(judged)
      calls.made += judged.calls.made
      calls.saved += judged.calls.saved
    },
    outcome: (row) => OUTCOMES[first.get(row) & 7] ?? null,
    isLetThrough: (row) => (first.get(row) & LET_THROUGH) !== 0,
    votes: (row) => ({ blocks: blocks.get(row), verdicts: verdicts.get(row) }),
    score: (row) => scores.get(row),
    risk: (row) => risks.get(row),
    get hasScores() {
      return hasScores
    },
    ...examples,
    latencies: {
      *[Symbol.iterator]() {
        for (let index = 0; index < latencies.length; index++) yield latencies.get(index)
      },
    },
    get tokens() {
      return tokens.sum()
    },
    calls,
    get answers() {
      return answers
    },
    get failures() {
      return failures
    },
  }
}

function createTokens() {
  const sum = { prompt: 0, completion: 0 }
  let areKnown = true
  return {
    add({ tokens, calls, outcome }: JudgedPrompt): void {
      if (tokens !== null) {
        sum.prompt += tokens.prompt
        sum.completion += tokens.completion
      } else if (calls.made > 0 && outcome !== "error") areKnown = false
    },
    /** Returns the sums; null if those of an answer are not known. */
    sum: () => (areKnown ? sum : null),
  }
}

/** The first answers that someone should look at, and how often each reason occurred. */
interface Examples {
  readonly reasons: Map<string, number>
  readonly errors: Map<string, number>
  readonly blockedSafe: JudgedExample[]
  readonly missedUnsafe: JudgedExample[]
  readonly unreadable: JudgedExample[]
  readonly failed: JudgedExample[]
}

function createExamples(): Examples {
  return { reasons: new Map(), errors: new Map(), blockedSafe: [], missedUnsafe: [], unreadable: [], failed: [] }
}

/** Keeps a row if its answer is an error, unreadable or wrong. */
function noteExample({ reasons, errors, ...kept }: Examples, found: JudgedRow): void {
  const { row, judged } = found
  if (judged.outcome === "unreadable") {
    count(reasons, judged.reason)
    keep(kept.unreadable, MAX_EVIDENCE, found)
  } else if (judged.outcome === "error") {
    count(errors, judged.reason)
    keep(kept.failed, MAX_EVIDENCE, found)
  } else if (judged.outcome === "block" && row.label === "safe") {
    keep(kept.blockedSafe, MAX_EXAMPLES, found)
  } else if (judged.outcome === "pass" && row.label === "unsafe") {
    keep(kept.missedUnsafe, MAX_EXAMPLES, found)
  }
}

function count(counts: Map<string, number>, reason = "unknown"): void {
  counts.set(reason, (counts.get(reason) ?? 0) + 1)
}

interface JudgedRow {
  readonly index: number
  readonly row: LabelledPrompt
  readonly judged: JudgedPrompt
}

function keep(kept: JudgedExample[], limit: number, { index, row, judged }: JudgedRow): void {
  if (kept.length >= limit) return
  const { id, prompt, response, category, language } = row
  const reason = judged.outcome === "error" ? (judged.message ?? judged.reason) : judged.reason
  kept.push({
    row: index + 1,
    ...(id === undefined ? {} : { id }),
    prompt: prompt.slice(0, MAX_TEXT),
    ...(response === undefined ? {} : { response: response.slice(0, MAX_TEXT) }),
    ...(category === undefined ? {} : { category }),
    ...(language === undefined ? {} : { language }),
    raw: judged.raw ?? null,
    ...(reason === undefined ? {} : { reason }),
  })
}
