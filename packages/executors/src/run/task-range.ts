import { type Static, Type } from "@sinclair/typebox"

/** No dataset has more rows. */
const MAX_ROW = 2 ** 31

const Repeats = Type.Integer({ minimum: 1, maximum: 1000 })

const RowRange = Type.Object({
  task: Type.String(),
  firstRow: Type.Integer({ minimum: 0 }),
  /** The number after the last row. */
  endRow: Type.Integer({ minimum: 1, maximum: MAX_ROW }),
  /** How often each row is asked. */
  repeats: Repeats,
})

const LaneRange = Type.Object({
  task: Type.String(),
  firstPosition: Type.Integer({ minimum: 0 }),
  /** The position after the last one. */
  endPosition: Type.Integer({ minimum: 1, maximum: MAX_ROW }),
  /** The number of shards that take turns: this one has every `step`-th position. */
  step: Type.Integer({ minimum: 1, maximum: 100_000 }),
  repeats: Repeats,
})

/** Rows of one task that follow each other, and belong to one shard. */
export type RowRange = Static<typeof RowRange>

/**
 * Rows of one task that its gates can end, and that belong to one shard: those at every `step`-th position of the random order of the job. So all shards
 * that run at the same time ask the rows of which the order is decided next.
 */
export type LaneRange = Static<typeof LaneRange>

/** Rows of one task that belong to one shard. */
export type TaskRange = RowRange | LaneRange

export const TaskRange = Type.Union([RowRange, LaneRange])

export function isLane(range: TaskRange): range is LaneRange {
  return "step" in range
}

/** Returns how many rows a range has. */
export function rowsOf(range: TaskRange): number {
  if (!isLane(range)) return range.endRow - range.firstRow
  return Math.max(0, Math.ceil((range.endPosition - range.firstPosition) / range.step))
}

/** Returns how many rows and repeats of them a shard has. */
export function unitsOf(ranges: readonly TaskRange[]): number {
  return ranges.reduce((sum, range) => sum + rowsOf(range) * range.repeats, 0)
}

/** Returns the number of rows in all shards of a run: those of a task, or of all tasks. */
export function countRows({ shards }: { readonly shards: readonly (readonly TaskRange[])[] }, task?: string): number {
  let rows = 0
  for (const range of shards.flat()) if (task === undefined || range.task === task) rows += rowsOf(range)
  return rows
}

/** Returns the tasks whose rows are cut by their positions in a random order. */
export function laneTasks({ shards }: { readonly shards: readonly (readonly TaskRange[])[] }): ReadonlySet<string> {
  return new Set(shards.flat().flatMap((range) => (isLane(range) ? [range.task] : [])))
}
