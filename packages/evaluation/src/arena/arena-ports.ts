import type { ArenaReport } from "@assay/schemas"
import type { OpenedArena } from "@assay/evaluation-files"
import type { JobEnvironment } from "../job-environment.ts"

/** How far an arena is. */
export interface ArenaProgress {
  readonly rows: ArenaReport["rows"]
  readonly calls: number
  readonly answers: number
  /** Models that can still be among the best. */
  readonly open: readonly string[]
}

/** A match of an arena, as its results list it. */
export interface ArenaMatchLine {
  readonly row_index: number
  readonly a: string
  readonly b: string
  /** 1 if A won, 0 if B did, 0.5 for a tie; null if the judge gave no verdict that can be read. */
  readonly score: number | null
  /** Whether the two orders contradict each other. */
  readonly contradictory: boolean
  /** Characters of the answers. */
  readonly lengths: readonly [a: number, b: number]
}

export interface RunArenaOptions {
  readonly arena: OpenedArena
  /** The workspace of datasets without one. */
  readonly workspace: string
  /** Ask everything: each two models meet on each row. Default false. */
  readonly isExhaustive?: boolean
  /** The largest number of rows that are drawn. Default: all. */
  readonly maxRows?: number | undefined
  /** The largest number of questions to the judge. Default: none. */
  readonly maxCalls?: number | undefined
  /** How many requests are in flight at a time. */
  readonly parallelism: number
  readonly environment: JobEnvironment
  readonly signal: AbortSignal
  readonly onProgress: (progress: ArenaProgress) => void
  readonly onMatch?: (match: ArenaMatchLine) => void
}
