import type { EvaluationRow } from "@assay/schemas"
import { type FileJournal, rowFacts, type TaskPlan } from "@assay/evaluation"
import { type Segment, writeSegments } from "@assay/registry"
import { readRows, rowOrder } from "@assay/results"
import { type RunStore, runFiles } from "@assay/executors"

/** Characters of rows whose facts are written together. A segment holds as many. */
const GROUP_LENGTH = 8 * 1024 * 1024

/** The rows of a shard that are published. */
export interface PublishedShard {
  readonly segments: readonly { readonly task: string; readonly segment: Segment }[]
  /** Rows and repeats, and those of them whose last answer is a failure. A row that was kept while the shard ended counts, too. */
  readonly counts: { readonly processed: number; readonly failed: number }
}

/**
 * Writes the rows of a shard as segments, in the order of its tasks and rows, each with the facts of its rows.
 * @param writer a part of the names that no other process of the shard has
 */
export async function publishSegments(
  store: RunStore,
  journal: FileJournal,
  { index, writer, tasks }: { readonly index: number; readonly writer: string; readonly tasks: readonly TaskPlan[] },
): Promise<PublishedShard> {
  const written: { readonly task: string; readonly segment: Segment }[] = []
  const counts = { processed: 0, failed: 0 }
  for (const task of tasks) {
    let last: EvaluationRow | undefined

    for await (const { texts, rows } of groupsOf(
      rowOrder.sortLines(journal, { tasks: [task.name], isOnly: true, lines: "attempts" }),
    )) {
      const facts = rowFacts.collect(task.name, rowFacts.fieldsOf(task))
      for (const row of rows) {
        facts.add(row)
        // Lines of one row follow each other, the last attempt at the end.
        const isAgain = last?.row_index === row.row_index && last.repeat === row.repeat
        if (!isAgain) counts.processed++
        else if (last?.error !== null) counts.failed--
        if (row.error !== null) counts.failed++
        last = row
      }
      const first = written.length
      const pathOf = (number: number) => runFiles.segment(index, writer, first + number)
      const segments = await writeSegments(store.storage, pathOf, { texts: each(texts), facts: facts.text() })
      for (const segment of segments) written.push({ task: task.name, segment })
    }
  }
  return { segments: written, counts }
}

interface Group {
  readonly texts: readonly string[]
  readonly rows: readonly EvaluationRow[]
}

/** Joins pieces of whole lines to groups, each of which has facts of its own. */
async function* groupsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Group, void> {
  let texts: string[] = []
  let rows: EvaluationRow[] = []
  let length = 0
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece)
    const text = bytes.toString()
    if (length > 0 && length + text.length > GROUP_LENGTH) {
      yield { texts, rows }
      texts = []
      rows = []
      length = 0
    }
    for await (const batch of readRows(each([bytes]))) rows.push(...batch)
    texts.push(text)
    length += text.length
  }
  if (length > 0) yield { texts, rows }
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T, void> {
  yield* values
}
