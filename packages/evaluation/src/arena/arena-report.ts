import { bradleyTerry, type createArenaDesign, finishSteps, groupAlike, groupTested, measureRate } from "@assay/metrics"
import type { ArenaBias, ArenaReport } from "@assay/schemas"
import type { PlayedMatch } from "./play-row.ts"

export interface ArenaFacts {
  readonly names: readonly string[]
  readonly failed: readonly number[]
  readonly matches: readonly PlayedMatch[]
  readonly design: ReturnType<typeof createArenaDesign>
  readonly alpha: number
  readonly top: number
  readonly isExhaustive: boolean
  readonly ended: ArenaReport["ended"]
  readonly rows: ArenaReport["rows"]
  readonly answers: number
  readonly calls: number
  readonly repeated: number
}

/** Returns the result of an arena: who is certain, strengths with intervals, groups, and what the judge prefers. */
export function arenaReport(facts: ArenaFacts): ArenaReport {
  const { names, matches, failed, rows, alpha, top, ended, answers, calls, repeated } = facts
  const known = matches.filter(({ score }) => !Number.isNaN(score))
  const strengths = bradleyTerry(names.length, known)
  const ranked = names
    .map((name, player) => ({ name, player, strength: strengths[player]?.strength ?? 0 }))
    .toSorted((a, b) => b.strength - a.strength)
  const { groups, best } = facts.isExhaustive ? decideAll(facts, known) : decideDrawn(facts, ranked)
  return {
    winner: top === 1 ? (best?.[0] ?? null) : null,
    top: best,
    alpha,
    ended,
    models: ranked.map(({ name, player }) => ({
      model: name,
      ...(strengths[player] ?? NO_STRENGTH),
      group: groups.get(name) ?? "",
      ...countOf(known, player),
      failed: failed[player] ?? 0,
    })),
    calls,
    answers,
    rows,
    matches: known.length,
    unreadable: matches.length - known.length,
    repeated,
    round_robin_calls: names.length * (names.length - 1) * rows.total,
    bias: biasOf(known),
  }
}

const NO_STRENGTH = { strength: 0, interval: { low: null, high: null, confidence: 0.95, method: "wald" } }

interface Decided {
  readonly groups: ReadonlyMap<string, string>
  readonly best: readonly string[] | null
}

/** Decides rows that were drawn one after the other, by tests that may be looked at after each row. */
function decideDrawn(
  { names, design, alpha }: ArenaFacts,
  ranked: readonly { readonly name: string; readonly player: number }[],
): Decided {
  const certain = design.certain()
  const isBest = (rank: number) => certain?.includes(ranked[rank]?.player ?? -1) === true
  const { letters } = groupTested(
    ranked,
    (a, b) => design.probability(ranked[a]?.player ?? 0, ranked[b]?.player ?? 0),
    {
      alpha,
      areKnown: (a, b) => isBest(a) !== isBest(b),
    },
  )
  return {
    groups: new Map(ranked.map(({ name }, at) => [name, letters[at] ?? ""])),
    best: certain?.map((player) => names[player] ?? "") ?? null,
  }
}

/** Decides rows of which all were asked, by paired tests: the share of the other models that a model won against, row by row. */
function decideAll({ names, alpha, top }: ArenaFacts, matches: readonly PlayedMatch[]): Decided {
  const byRow = Map.groupBy(matches, ({ row }) => row)
  const shareOn = (own: readonly PlayedMatch[], player: number) => {
    const scores = scoresOf(own, player)
    return scores.reduce((sum, score) => sum + score, 0) / scores.length
  }
  const values = names.map((name, player) => ({ name, values: [...byRow.values()].map((own) => shareOn(own, player)) }))
  const { models, pairs } = finishSteps(groupAlike(values, { alpha }))
  const best = models.slice(0, top).map(({ name }) => name)
  const isApart = pairs.every(({ a, b, isDifferent }) => best.includes(a) === best.includes(b) || isDifferent)
  return { groups: new Map(models.map(({ name, group }) => [name, group])), best: isApart ? best : null }
}

/** Returns the scores of a model: 1 for a match that it won. */
function scoresOf(matches: readonly PlayedMatch[], player: number): readonly number[] {
  return matches.flatMap(({ a, b, score }) => (a === player ? [score] : b === player ? [1 - score] : []))
}

function countOf(matches: readonly PlayedMatch[], player: number) {
  const scores = scoresOf(matches, player)
  const count = (value: number) => scores.filter((score) => score === value).length
  return { wins: count(1), losses: count(0), ties: count(0.5) }
}

function biasOf(matches: readonly PlayedMatch[]): ArenaBias {
  const judged = matches.filter(({ questions }) => questions > 0)
  const won = matches.filter(({ score, lengths: [a, b] }) => score !== 0.5 && a !== b)
  const byLonger = won.filter(({ score, lengths: [a, b] }) => a > b === (score === 1))
  return {
    ties: measureRate(matches.filter(({ score }) => score === 0.5).length, matches.length),
    position: measureRate(judged.filter(({ isContradictory }) => isContradictory).length, judged.length),
    longer_wins: measureRate(byLonger.length, won.length),
  }
}
