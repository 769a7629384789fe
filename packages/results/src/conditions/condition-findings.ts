import type { ConditionCode } from "@assay/schemas"

/** A condition as one error or one line shows it. */
export interface Finding {
  readonly code: ConditionCode
  /** The event, with names and values. */
  readonly message: string
  /** Replaces the title of the catalogue if that is about another party. */
  readonly title?: string | undefined
  /** Advice for this case, as whole sentences. It precedes the remedy of the catalogue. */
  readonly advice?: string | undefined
  /** Whether the remedy of the catalogue does not help here. */
  readonly isAdviceAll?: boolean | undefined
}

/** The row in which a finding was made. The order of rows does not depend on which was answered first. */
export interface RowPosition {
  readonly task: string
  /** The number of the task in the job. */
  readonly order: number
  readonly row: number
  readonly repeat: number
}

/** A finding in an error of a row, with what the row itself does not keep, such as advice. */
export interface ErrorFinding {
  readonly finding: Finding
  readonly position: RowPosition
  readonly lines?: readonly string[] | undefined
}

/** A condition of requests that failed and were sent again. */
export interface RetryFinding {
  readonly finding: Finding
  /** The first row whose request was sent again. */
  readonly position: RowPosition | undefined
  readonly count: number
}

/** Events of the rows of a part of a job that are in none of them. Findings of several parts are added to one finder, in any order. */
export interface ConditionFindings {
  readonly errors: readonly ErrorFinding[]
  readonly retries: readonly RetryFinding[]
}

/** Compares two positions. A finding without one comes first: it is about the whole job. */
export function comparePositions(a: RowPosition | undefined, b: RowPosition | undefined): number {
  if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1)
  if (a.task !== b.task) return a.order - b.order || (a.task < b.task ? -1 : 1)
  return a.row - b.row || a.repeat - b.repeat
}

/** Returns the position of a row. */
export type PositionOf = (row: {
  readonly task: string
  readonly row_index: number
  readonly repeat?: number | undefined
}) => RowPosition

/** Returns the function that positions rows by the order of their tasks. Rows of other tasks come last. */
export function positionsIn(tasks: readonly string[]): PositionOf {
  const orders = new Map(tasks.map((task, order) => [task, order]))
  return ({ task, row_index: row, repeat = 0 }) => ({ task, order: orders.get(task) ?? tasks.length, row, repeat })
}
