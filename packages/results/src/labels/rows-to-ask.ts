import type { LabelRow, RowsToLabel } from "@assay/schemas"
import { labelsByAuthor } from "./people-labels.ts"

export interface RowsToAskOptions {
  /** As `metric.score`. */
  readonly score: string
  readonly rows: RowsToLabel
  /** The author of labels. Undefined: nobody is named. */
  readonly author: string | undefined
}

/** The rows of a queue, by numbers of digests. */
export interface RowsToAsk {
  /** These are not asked. */
  readonly except: ReadonlySet<number>
  /** Only these are asked; undefined: all others. */
  readonly only: ReadonlySet<number> | undefined
}

/**
 * Chooses the rows that a person is asked about. A row that its author is unsure about is not asked again, but others are asked about it. Without the
 * name of an author, everybody's labels count.
 */
export function rowsToAsk(labels: readonly LabelRow[], { score, rows, author }: RowsToAskOptions): RowsToAsk {
  const known = [...labelsByAuthor(labels, score)].map(([digest, last]) => ({
    digest,
    values: new Set([...last.values()].flatMap(({ label }) => label ?? [])),
    isOwn: author === undefined ? last.size > 0 : last.has(author),
  }))
  const digestsOf = (matches: (one: (typeof known)[number]) => boolean) =>
    new Set(known.filter(matches).map(({ digest }) => digest))
  if (rows === "disputed") return { except: new Set(), only: digestsOf(({ values }) => values.size > 1) }
  const own = digestsOf(({ isOwn }) => isOwn)
  if (rows === "others") return { except: own, only: digestsOf(({ values }) => values.size > 0) }
  return { except: digestsOf(({ isOwn, values }) => isOwn || values.size > 0), only: undefined }
}
