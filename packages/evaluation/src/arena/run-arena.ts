import { createArenaDesign } from "@assay/metrics"
import { type ArenaReport, AssayError } from "@assay/schemas"
import { createModelPool, judges, runParams, type SourceRow } from "@assay/scoring"
import pLimit from "p-limit"
import { arenaReport } from "./arena-report.ts"
import type { RunArenaOptions } from "./arena-ports.ts"
import { drawRows } from "./draw-rows.ts"
import { openContestants } from "./open-contestants.ts"
import { type PlayedMatch, type PlayOptions, playRow } from "./play-row.ts"

/**
 * Runs an arena: draws rows in random order, asks the models that a row is for, and the judge about their pairs, until the best are certain, all rows are
 * drawn, or a limit is reached. It is decided by the answers alone: with a recording, an interrupted arena repeats its decisions and asks only what it had not asked.
 * @throws what is wrong with the models, the rows or the judge; `judge_output_unreadable` if the first verdicts can't be read
 */
export async function runArena(options: RunArenaOptions): Promise<ArenaReport> {
  const { arena, environment, signal, parallelism } = options
  const judge = judges.defineOfPairs({
    key: "arena",
    type: "pairwise",
    name: "judge",
    params: arena.judge,
    run: runParams().callLimits,
  })
  const limit = pLimit(parallelism)
  const models = createModelPool(environment)
  const opened = await openContestants({ ...options, limit })
  try {
    const rows = await drawRows(opened.rows, arena.seed, signal)
    const compare = await judge.open({ models })
    return await play(rows.slice(0, options.maxRows), { ...options, ...opened, compare, limit })
  } finally {
    await opened.close()
    await models.close()
  }
}

/** Questions to the judge that are asked before the next look. A fixed number, so that decisions do not depend on the number of requests in flight. */
const AT_ONCE = 16

type ArenaRun = RunArenaOptions & PlayOptions

async function play(rows: readonly SourceRow[], run: ArenaRun): Promise<ArenaReport> {
  const { arena, contestants, isExhaustive = false, maxCalls = Infinity, signal } = run
  const { alpha, top } = arena
  const names = contestants.map(({ name }) => name)
  const design = createArenaDesign({ players: names.length, alpha, top, isExhaustive })
  const matches: PlayedMatch[] = []
  const isNew = knowsMatches()
  let repeated = 0
  const answered = new Set<string>()
  let drawn = 0
  let ended: ArenaReport["ended"] = isExhaustive ? "all" : "rows"
  let calls = 0
  while (drawn < rows.length) {
    signal.throwIfAborted()
    const pairs = design.nextPairs()
    // Few pairs leave places for requests of further rows, which meet by the same pairs.
    const wanted = Math.max(1, Math.floor(AT_ONCE / (2 * pairs.length)))
    const affordable = Math.floor((maxCalls - calls) / (2 * pairs.length))
    if (affordable < 1) {
      ended = "calls"
      break
    }
    const batch = rows.slice(drawn, drawn + Math.min(wanted, affordable))
    const played = await Promise.all(batch.map((row) => playRow(row, pairs, run)))
    for (const [at, all] of played.entries()) {
      drawn++
      const own = all.filter(isNew)
      repeated += all.length - own.length
      design.add(own)
      matches.push(...own)
      calls += all.reduce((sum, { questions }) => sum + questions, 0)
      noteAnswers(answered, batch[at], pairs)
      for (const match of own) run.onMatch?.(lineOf(match, names))
    }
    checkVerdicts(matches)
    run.onProgress({
      rows: { drawn, total: rows.length },
      calls,
      answers: answered.size,
      open: names.filter((_name, at) => design.isOpen(at)),
    })
    if (!isExhaustive && design.certain() !== null) {
      ended = "certain"
      break
    }
  }
  const failed = contestants.map((one) => one.failed)
  const counts = {
    rows: { drawn, total: rows.length },
    answers: answered.size - failed.reduce((sum, one) => sum + one, 0),
    calls,
    repeated,
  }
  return arenaReport({ names, failed, matches, design, alpha, top, isExhaustive, ended, ...counts })
}

/** Returns what says whether two models meet with these answers for the first time. Rows that come twice are one question, and prove nothing twice. */
function knowsMatches(): (match: PlayedMatch) => boolean {
  const known = new Set<string>()
  return ({ a, b, digest }) => {
    const key = `${a} ${b} ${digest ?? ""}`
    if (digest === undefined || !known.has(key)) {
      known.add(key)
      return true
    }
    return false
  }
}

function noteAnswers(
  answered: Set<string>,
  row: SourceRow | undefined,
  pairs: ReturnType<ReturnType<typeof createArenaDesign>["nextPairs"]>,
): void {
  for (const { a, b } of pairs) for (const one of [a, b]) answered.add(`${row?.index ?? 0} ${one}`)
}

/** Verdicts that may be unreadable before any can be read. */
const DOUBTFUL_VERDICTS = 20

function checkVerdicts(matches: readonly PlayedMatch[]): void {
  if (matches.length < DOUBTFUL_VERDICTS || matches.some(({ score }) => !Number.isNaN(score))) return
  const failure = matches.find((one) => one.failure !== undefined)?.failure
  if (failure !== undefined) throw failure
  const message = `None of the first ${matches.length} verdicts of the judge can be read; let it answer one question, and see what it writes.`
  throw new AssayError("judge_output_unreadable", message)
}

function lineOf({ row, a, b, score, isContradictory, lengths }: PlayedMatch, names: readonly string[]) {
  return {
    row_index: row,
    a: names[a] ?? "",
    b: names[b] ?? "",
    score: Number.isNaN(score) ? null : score,
    contradictory: isContradictory,
    lengths,
  }
}
