import { setImmediate } from "node:timers/promises"
import type { DescribedStats } from "../scores/build-result.ts"
import { AssayError, type EvaluationRow, parseJsonExactly, type ScoreValue } from "@assay/schemas"
import type { PairSelection, SelectedPairs } from "./selection/compare-rows.ts"
import type { DrawnRows, IssuedDraw, RowDraw } from "./labels/draw-rows.ts"
import type { JudgedScores, LabelledDigests } from "./labels/judged-scores.ts"
import { createIndexThread } from "./index-thread.ts"
import { sourceRows, type JournalSource } from "./journal-source.ts"
import type { RowKey, RowTablesLimits } from "./open-tables.ts"
import { createJournalSearch, type TextConditions } from "./search/search-journal.ts"
import type { RowSelection, SelectedPage } from "./selection/select-rows.ts"
import type { SummaryConditions } from "./selection/summarize-rows.ts"
import { isTail } from "./table/journal-position.ts"
import type { LinePlace } from "./table/row-table.ts"

/** A row of a page. */
export interface IndexedRow {
  readonly row: EvaluationRow
  /** The code of the condition that the row shows; null without one. */
  readonly condition: string | null
  /** The outcome of a guardrail; null for other rows. */
  readonly verdict: string | null
  /** The row in the other job; null if it has none. */
  readonly other: EvaluationRow | null
}

export interface IndexedPage {
  /** Fewer than asked for if they are large. */
  readonly rows: readonly IndexedRow[]
  /** The scores that rows of the job have, as `metric.score`. */
  readonly scores: readonly string[]
  readonly total: number
  readonly matched: number
}

/** A row that two jobs have. */
export interface IndexedPair {
  readonly a: EvaluationRow
  readonly b: EvaluationRow
  /** NaN if the row has no score. */
  readonly scoreA: number
  readonly scoreB: number
}

export interface IndexedPairs extends Omit<SelectedPairs, "pairs"> {
  /** Fewer than asked for if they are large. */
  readonly pairs: readonly IndexedPair[]
}

/** The lines of a job's rows, and the index of them. */
export interface RowLines {
  readonly job: string
  readonly source: JournalSource
  /** The folder of the index. Only this process may use it. */
  readonly folder: string
}

/** Rows that were drawn for labelling. */
export interface DrawnLabels extends Omit<DrawnRows, "rows"> {
  /** Fewer than asked for if they are large. */
  readonly rows: readonly { readonly row: EvaluationRow; readonly probability: number }[]
}

export interface PageOptions {
  /** The job whose rows are shown beside these. */
  readonly against?: RowLines | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ComparedLines {
  readonly a: RowLines
  readonly b: RowLines
}

export interface ScoredConditions extends TextConditions<SummaryConditions> {
  readonly score: string
}

/** The rows of jobs, also of jobs that run, with an index that is kept. The first call for a job reads all its lines. */
export interface JobRows {
  /** @throws `invalid_request` for an unknown score */
  page(job: RowLines, selection: TextConditions<RowSelection>, options?: PageOptions): Promise<IndexedPage>
  /** Returns rows that both jobs have. Filters are about the rows of `b`. @throws `invalid_request` for an unknown score */
  compare(sides: ComparedLines, selection: TextConditions<PairSelection>, signal?: AbortSignal): Promise<IndexedPairs>
  /** Reads every repeat and attempt of a row, in the order in which they were written. */
  row(job: RowLines, task: string, index: number): Promise<readonly EvaluationRow[]>
  /** Reads rows with their last attempt; undefined for a row that is not there. */
  at(job: RowLines, rows: readonly RowKey[]): Promise<readonly (EvaluationRow | undefined)[]>
  /** Draws rows for labelling. @throws `invalid_request` for an unknown score */
  draw(job: RowLines, draw: RowDraw): Promise<DrawnLabels>
  /** Returns the scores of a judge, with those of some digests one by one. @throws `invalid_request` for an unknown score */
  judged(job: RowLines, score: string, labels: LabelledDigests): Promise<JudgedScores>
  /** Returns how likely rows are drawn. @throws `invalid_request` for an unknown score */
  issued(job: RowLines, draw: IssuedDraw): Promise<readonly (number | undefined)[]>
  /** Reads all rows, in batches. */
  read(job: RowLines): AsyncIterable<readonly EvaluationRow[]>
  /** @throws `invalid_request` for an unknown score */
  summarize(job: RowLines, conditions: ScoredConditions, signal?: AbortSignal): Promise<DescribedStats>
  /** Removes the folder of an index. */
  remove(job: Pick<RowLines, "folder">): Promise<void>
  close(): Promise<void>
}

/** Bytes of the journal after which the index is saved, so that a restart reads only the rest. */
const SAVE_BYTES = 64 * 1024 * 1024

/** @param limits what the index keeps between requests */
export function createJobRows(limits?: RowTablesLimits): JobRows {
  const thread = createIndexThread(limits)
  const search = createJournalSearch(thread)
  /** By folder: ends when the last change of its index has ended. Pieces of two changes must not mix. */
  const changing = new Map<string, Promise<void>>()

  async function inTurn(folder: string, change: () => Promise<void>): Promise<void> {
    const before = changing.get(folder) ?? Promise.resolve()
    const mine = before.catch(() => {}).then(change)
    changing.set(folder, mine)
    try {
      await mine
    } finally {
      if (changing.get(folder) === mine) changing.delete(folder)
    }
  }

  /** Empties an index that is not that of the journal. It is not written with the journal, so a power failure can keep one and not the other. */
  async function prove({ source, folder }: RowLines): Promise<void> {
    const tail = await thread.call("unproven", folder)
    if (tail === undefined) return
    const [text] = await source.lines([tail])
    await thread.call("prove", folder, isTail(tail, text))
  }

  /** Adds the lines that were written since the last call. */
  const update = (job: RowLines) =>
    inTurn(job.folder, async () => {
      const { source, folder } = job
      await prove(job)
      const position = await thread.call("position", folder)
      let unsaved = 0
      let hasChanged = false
      for await (const piece of source.pieces(position)) {
        await thread.call("add", folder, piece)
        hasChanged = true
        unsaved += piece.bytes.byteLength
        if (unsaved < SAVE_BYTES) continue
        await thread.call("save", folder)
        unsaved = 0
      }
      if (hasChanged) await thread.call("save", folder)
    })

  async function readAt({ job, source }: RowLines, places: readonly LinePlace[]): Promise<readonly EvaluationRow[]> {
    const rows: EvaluationRow[] = []
    let unbroken = 0
    for (const line of await source.lines(places)) {
      if (line === "") throw rowsGone(job)
      rows.push(withReadableScores(parseJsonExactly(line) as EvaluationRow))
      unbroken += line.length
      if (unbroken < UNBROKEN) continue
      unbroken = 0
      // Requests of others are answered in between.
      await setImmediate()
    }
    return rows
  }

  return {
    async page(job, selection, { against, signal } = {}) {
      await update(job)
      if (against !== undefined) await update(against)
      const found = await search<RowSelection, SelectedPage>({ ...job, signal }, selection, (conditions, texts) =>
        thread.call("select", job.folder, conditions, { other: against?.folder, search: texts }),
      )
      const selected = firstThatFit(found.rows, ({ length, other }) => length + (other?.length ?? 0))
      const rows = await readAt(job, selected)
      const beside = selected.flatMap(({ other }) => (other === null ? [] : [other]))
      const others = (against === undefined ? [] : await readAt(against, beside)).values()
      return {
        scores: found.scores,
        total: found.total,
        matched: found.matched,
        rows: selected.flatMap(({ condition, verdict, other }, place) => {
          const row = rows[place]
          return row === undefined
            ? []
            : [{ row, condition, verdict, other: other === null ? null : (others.next().value ?? null) }]
        }),
      }
    },
    async compare({ a, b }, selection, signal) {
      await update(a)
      await update(b)
      const { pairs, ...found } = await search<PairSelection, SelectedPairs>(
        { ...b, signal },
        selection,
        (conditions, texts) => thread.call("compare", a.folder, b.folder, conditions, texts),
      )
      const selected = firstThatFit(pairs, ({ a, b }) => a.length + b.length)
      const [rowsA, rowsB] = await Promise.all([
        readAt(
          a,
          selected.map((pair) => pair.a),
        ),
        readAt(
          b,
          selected.map((pair) => pair.b),
        ),
      ])
      return {
        ...found,
        pairs: selected.flatMap(({ scoreA, scoreB }, place) => {
          const [before, after] = [rowsA[place], rowsB[place]]
          return before === undefined || after === undefined ? [] : [{ a: before, b: after, scoreA, scoreB }]
        }),
      }
    },
    async row(job, task, index) {
      await update(job)
      return readAt(job, await thread.call("find", job.folder, task, index))
    },
    async at(job, rows) {
      await update(job)
      const places = await thread.call("locate", job.folder, rows)
      const read = (
        await readAt(
          job,
          places.flatMap((place) => place ?? []),
        )
      ).values()
      return places.map((place) => (place === undefined ? undefined : read.next().value))
    },
    async draw(job, draw) {
      await update(job)
      const { rows: all, ...found } = await thread.call("draw", job.folder, draw)
      const drawn = firstThatFit(all, ({ length }) => length)
      const rows = await readAt(job, drawn)
      return {
        ...found,
        rows: drawn.flatMap(({ probability }, place) => {
          const row = rows[place]
          return row === undefined ? [] : [{ row, probability }]
        }),
      }
    },
    async issued(job, draw) {
      await update(job)
      return thread.call("issued", job.folder, draw)
    },
    read: ({ source }) => sourceRows(source),
    async judged(job, score, labels) {
      await update(job)
      return thread.call("judged", job.folder, score, labels)
    },
    async summarize(job, { score, ...conditions }, signal) {
      await update(job)
      return search<SummaryConditions, DescribedStats>({ ...job, signal }, conditions, (wanted, texts) =>
        thread.call("summarize", job.folder, score, wanted, texts),
      )
    },
    remove: ({ folder }) => inTurn(folder, () => thread.call("remove", folder)),
    close: () => thread.close(),
  }
}

/** Returns a row in which a score that the journal has as null is NaN. */
function withReadableScores(row: EvaluationRow): EvaluationRow {
  const metrics = Object.entries(row.scores)
  if (!metrics.some(([, values]) => Object.values<unknown>(values).includes(null))) return row
  const readable = (values: Readonly<Record<string, ScoreValue | null>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? ("NaN" as const)]))
  return { ...row, scores: Object.fromEntries(metrics.map(([metric, values]) => [metric, readable(values)])) }
}

/** Bytes of the rows of a page, both jobs together. Writing the answer takes 10 ms for each mebibyte, in one piece. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024
/** Characters of rows that are parsed in one piece. */
const UNBROKEN = 128 * 1024

/** Returns the first rows that are not too large together, at least one. */
function firstThatFit<T>(rows: readonly T[], bytesOf: (row: T) => number): readonly T[] {
  let bytes = 0
  const end = rows.findIndex((row) => (bytes += bytesOf(row)) > MAX_PAGE_BYTES)
  return end === -1 ? rows : rows.slice(0, Math.max(1, end))
}

/** Makes the error of a job whose rows were removed. */
export function rowsGone(job: string, details = "", cause?: unknown): AssayError {
  const message = `The rows of evaluation job '${job}' are no longer there${details}.`
  return new AssayError("rows_gone", message, { context: { job }, cause })
}
