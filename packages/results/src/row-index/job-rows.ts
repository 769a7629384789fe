import type { DescribedStats } from "../scores/build-result.ts"
import type { EvaluationRow } from "@assay/schemas"
import type { PairSelection, SelectedPairs } from "./selection/compare-rows.ts"
import type { DrawnRows, RowDraw } from "./labels/draw-rows.ts"
import type { IssuedDraw } from "./labels/draw-probability.ts"
import type { JudgedScores, LabelledDigests } from "./labels/judged-scores.ts"
import { createIndexThread, type IndexThread } from "./index-thread.ts"
import { createIndexUpdates, type UpdateIndex } from "./index-updates.ts"
import { type RowLines, sourceRows } from "./journal-source.ts"
import type { RowKey, RowTablesLimits } from "./open-tables.ts"
import { firstThatFit, readRowsAt } from "./read-rows-at.ts"
import { createJournalSearch, type JournalSearch, type TextConditions } from "./search/search-journal.ts"
import type { RowSelection, SelectedPage } from "./selection/select-rows.ts"
import type { SummaryConditions } from "./selection/summarize-rows.ts"

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

/** Everything that the operations use. */
interface RowIndex {
  readonly thread: IndexThread
  readonly search: JournalSearch
  readonly update: UpdateIndex
}

/** @param limits what the index keeps between requests */
export function createJobRows(limits?: RowTablesLimits): JobRows {
  const thread = createIndexThread(limits)
  const { update, remove } = createIndexUpdates(thread)
  const index: RowIndex = { thread, search: createJournalSearch(thread), update }

  return {
    page: (job, selection, options) => pageOf(index, job, selection, options),
    compare: (sides, selection, signal) => comparePairs(index, sides, selection, signal),
    async row(job, task, row) {
      await update(job)
      return readRowsAt(job, await thread.call("find", job.folder, task, row))
    },
    async at(job, rows) {
      await update(job)
      const ranges = await thread.call("locate", job.folder, rows)
      const found = ranges.flatMap((position) => position ?? [])
      const read = (await readRowsAt(job, found)).values()
      return ranges.map((position) => (position === undefined ? undefined : read.next().value))
    },
    draw: (job, draw) => drawLabels(index, job, draw),
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
      return index.search<SummaryConditions, DescribedStats>({ ...job, signal }, conditions, (wanted, texts) =>
        thread.call("summarize", job.folder, score, wanted, texts),
      )
    },
    remove: ({ folder }) => remove(folder),
    close: () => thread.close(),
  }
}

async function pageOf(
  { thread, search, update }: RowIndex,
  job: RowLines,
  selection: TextConditions<RowSelection>,
  { against, signal }: PageOptions = {},
): Promise<IndexedPage> {
  await update(job)
  if (against !== undefined) await update(against)
  const found = await search<RowSelection, SelectedPage>({ ...job, signal }, selection, (conditions, texts) =>
    thread.call("select", job.folder, conditions, { other: against?.folder, search: texts }),
  )
  const selected = firstThatFit(found.rows, ({ length, other }) => length + (other?.length ?? 0))
  const rows = await readRowsAt(job, selected)
  const beside = selected.flatMap(({ other }) => (other === null ? [] : [other]))
  const others = (against === undefined ? [] : await readRowsAt(against, beside)).values()
  return {
    scores: found.scores,
    total: found.total,
    matched: found.matched,
    rows: selected.flatMap(({ condition, verdict, other }, position) => {
      const row = rows[position]
      return row === undefined
        ? []
        : [{ row, condition, verdict, other: other === null ? null : (others.next().value ?? null) }]
    }),
  }
}

async function comparePairs(
  { thread, search, update }: RowIndex,
  { a, b }: ComparedLines,
  selection: TextConditions<PairSelection>,
  signal?: AbortSignal,
): Promise<IndexedPairs> {
  await update(a)
  await update(b)
  const { pairs, ...found } = await search<PairSelection, SelectedPairs>(
    { ...b, signal },
    selection,
    (conditions, texts) => thread.call("compare", a.folder, b.folder, conditions, texts),
  )
  const selected = firstThatFit(pairs, ({ a, b }) => a.length + b.length)
  const rangesA = selected.map((pair) => pair.a)
  const rangesB = selected.map((pair) => pair.b)
  const [rowsA, rowsB] = await Promise.all([readRowsAt(a, rangesA), readRowsAt(b, rangesB)])
  return {
    ...found,
    pairs: selected.flatMap(({ scoreA, scoreB }, position) => {
      const before = rowsA[position]
      const after = rowsB[position]
      return before === undefined || after === undefined ? [] : [{ a: before, b: after, scoreA, scoreB }]
    }),
  }
}

async function drawLabels({ thread, update }: RowIndex, job: RowLines, draw: RowDraw): Promise<DrawnLabels> {
  await update(job)
  const { rows: all, ...found } = await thread.call("draw", job.folder, draw)
  const drawn = firstThatFit(all, ({ length }) => length)
  const rows = await readRowsAt(job, drawn)
  return {
    ...found,
    rows: drawn.flatMap(({ probability }, position) => {
      const row = rows[position]
      return row === undefined ? [] : [{ row, probability }]
    }),
  }
}
