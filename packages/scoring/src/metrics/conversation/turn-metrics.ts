import { meanOf } from "@assay/metrics"
import type { ScoreValue } from "@assay/schemas"
import type { BoundMetric, MetricOutcome, ScoreInput, ScoreOptions } from "../bound-metric.ts"
import type { MetricDefinition } from "../metric-definition.ts"
import type { ScoringContext } from "../../scoring-context.ts"
import { turnInput } from "./turn-input.ts"

/** A metric of one turn of the file. */
export interface TurnMetric {
  /** The number of the turn in the file, from 0. */
  readonly turn: number
  /** The first and the last number that the turn can have in a conversation, from 0: turns before it may be repeated. */
  readonly span: readonly [first: number, last: number]
  readonly metric: MetricDefinition
}

/**
 * Returns the metrics of a check that turns have: one over all of these turns, whose score of a conversation is the mean, and one for each turn, such
 * as `contains@2`. All share the scores of a conversation, so that a judge is asked once.
 * @param parts at least one; all have the same key and kind
 */
export function turnMetrics(parts: readonly TurnMetric[]): readonly MetricDefinition[] {
  const [first] = parts
  if (first === undefined) return []
  const { key } = first.metric
  const open = openShared(parts)
  const whole = shapeOf(parts, key)
  const numbers = new Set(
    parts.flatMap(({ span: [low, high] }) => Array.from({ length: high - low + 1 }, (_, at) => low + at)),
  )
  const numbered = [...numbers]
    .toSorted((a, b) => a - b)
    .map((turn): MetricDefinition => {
      const own = `${key}@${turn + 1}`
      const score = async (shared: SharedScores, input: ScoreInput, options: ScoreOptions): Promise<MetricOutcome> =>
        (await shared.outcomes(input, options))[turn] ?? { scores: {} }
      return {
        ...whole,
        key: own,
        // Requests and checks are those of the metric over all turns.
        fields: [],
        endpoints: [],
        bind: async (context) => ({
          ...boundOf(own, await open(context), score),
          isOptional: true,
          isCut: isCutFrom(parts, turn),
        }),
      }
    })
  return [
    {
      ...whole,
      bind: async (context) => ({
        ...boundOf(key, await open(context), async (shared, input, options) =>
          joined(await shared.outcomes(input, options)),
        ),
        isCut: isCutFrom(parts),
      }),
    },
    ...numbered,
  ]
}

/**
 * Returns the function that returns whether a limit ended a conversation before a turn of the file with this check began.
 * @param at only turns that can have this number in a conversation count; default: all of them
 */
function isCutFrom(parts: readonly TurnMetric[], at?: number): NonNullable<BoundMetric["isCut"]> {
  const own = parts.filter(({ span: [low, high] }) => at === undefined || (at >= low && at <= high))
  return ({ end, turns = [] }) => {
    if (end?.startsWith("limit_") !== true || (at !== undefined && at < turns.length)) return false
    const begun = new Set(turns.map(({ turn }) => turn))
    return own.some(({ turn }) => !begun.has(turn))
  }
}

function shapeOf(parts: readonly TurnMetric[], key: string): Omit<MetricDefinition, "bind"> {
  const all = parts.map(({ metric }) => metric)
  const [{ type }] = all as [MetricDefinition]
  const checks = all.flatMap(({ check }) => check ?? [])
  return {
    key,
    type,
    scores: [...new Set(all.flatMap(({ scores }) => scores))],
    fields: all.flatMap(({ fields }) => fields),
    readsOutput: false,
    endpoints: all.flatMap(({ endpoints }) => endpoints),
    ...(checks.length === 0
      ? {}
      : {
          check: async (environment, signal) => {
            for (const check of checks) await check(environment, signal)
          },
        }),
  }
}

/** The bound metrics of turns, and their outcomes of a conversation. */
interface SharedScores {
  readonly bound: readonly BoundMetric[]
  /** Returns the outcome of each turn; undefined for turns without this check. */
  readonly outcomes: (input: ScoreInput, options: ScoreOptions) => Promise<readonly (MetricOutcome | undefined)[]>
}

/** Returns the function that binds the metrics once for each context. */
function openShared(parts: readonly TurnMetric[]): (context: ScoringContext) => Promise<SharedScores> {
  const opened = new WeakMap<ScoringContext, Promise<SharedScores>>()
  const bind = async (context: ScoringContext): Promise<SharedScores> => {
    const byTurn = new Map<number, BoundMetric>()
    for (const { turn, metric } of parts) byTurn.set(turn, await metric.bind(context))
    const known = new WeakMap<ScoreInput, ReturnType<SharedScores["outcomes"]>>()
    return {
      bound: [...byTurn.values()],
      outcomes(input, options) {
        const scored = known.get(input) ?? scoreTurns(byTurn, input, options)
        known.set(input, scored)
        return scored
      },
    }
  }
  return (context) => {
    const shared = opened.get(context) ?? bind(context)
    opened.set(context, shared)
    return shared
  }
}

async function scoreTurns(
  byTurn: ReadonlyMap<number, BoundMetric>,
  input: ScoreInput,
  options: ScoreOptions,
): Promise<readonly (MetricOutcome | undefined)[]> {
  const outcomes: (MetricOutcome | undefined)[] = []
  for (const [at, { turn }] of (input.turns ?? []).entries()) {
    outcomes.push(await byTurn.get(turn)?.score(turnInput(input, at), options))
  }
  return outcomes
}

/** Joins the outcomes of turns: the mean of each score. A score without a number in one turn has none over all of them. */
function joined(outcomes: readonly (MetricOutcome | undefined)[]): MetricOutcome {
  const given = outcomes.filter((one) => one !== undefined)
  const names = new Set(given.flatMap(({ scores }) => Object.keys(scores)))
  const scores = Object.fromEntries([...names].map((name) => [name, meanScore(given, name)]))
  const unreadable = given.find((one) => one.unreadable !== undefined)?.unreadable
  return { scores, ...(unreadable === undefined ? {} : { unreadable }), turns: outcomes.map((one) => one?.scores) }
}

function meanScore(outcomes: readonly MetricOutcome[], name: string): ScoreValue {
  const values = outcomes.flatMap(({ scores }) => scores[name] ?? []).map(Number)
  return values.every(Number.isFinite) ? meanOf(values) : "NaN"
}

function boundOf(
  key: string,
  shared: SharedScores,
  score: (shared: SharedScores, input: ScoreInput, options: ScoreOptions) => Promise<MetricOutcome>,
): BoundMetric {
  const [{ type }] = shared.bound as [BoundMetric]
  // Scores over all answers at once are not those of a conversation.
  const ofCorpus = new Set(shared.bound.flatMap((one) => Object.keys(one.createCorpusScores?.() ?? {})))
  return {
    key,
    type,
    scores: [...new Set(shared.bound.flatMap(({ scores }) => scores))].filter((name) => !ofCorpus.has(name)),
    ranges: Object.assign({}, ...shared.bound.map(({ ranges = {} }) => ranges)) as NonNullable<BoundMetric["ranges"]>,
    isAmount: shared.bound.some(({ isAmount }) => isAmount === true),
    isRemote: shared.bound.some(({ isRemote }) => isRemote),
    score: (input, options) => score(shared, input, options),
  }
}
