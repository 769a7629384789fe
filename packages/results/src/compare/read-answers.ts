import { AssayError, type EvaluationRow } from "@assay/schemas"
import type { ScoringEnvironment } from "@assay/scoring"
import { isSameItem, type JobToCompare, readJobValues } from "./job-to-compare.ts"

type OtherAnswers = Awaited<ReturnType<NonNullable<ScoringEnvironment["openAnswers"]>>>

/** Characters of all answers together. They are in memory while another job is compared with them. */
const MAX_CHARACTERS = 128 * 1024 * 1024

/**
 * Reads the answers of a job, by the names of its tasks, the numbers of its rows and their repeats. The last attempt of a row counts. A task that the job does not
 * have is its only one. A row that was repeated less often has the answer of its first repeat.
 * @throws `invalid_request` for more than 128 Mi characters of answers
 */
export async function readAnswers(job: JobToCompare, signal?: AbortSignal): Promise<OtherAnswers> {
  const { tasks } = await readJobValues(job, { signal })
  const texts = new Map<string, string | undefined>()
  let characters = 0
  for await (const batch of job.rows(signal)) {
    for (const row of batch) {
      const text = answerOf(row)
      characters += text?.length ?? 0
      if (characters > MAX_CHARACTERS) throw tooLong(job.name)
      texts.set(keyOf(row.task, row.row_index, row.repeat), text)
    }
  }
  const [only, second] = [...tasks.keys()]
  return {
    find({ task, row, repeat, item }) {
      const name = tasks.has(task) || second !== undefined ? task : (only ?? task)
      const values = tasks.get(name)
      if (values === undefined || !isSameItem(values, { row_index: row, item })) return undefined
      return texts.get(keyOf(name, row, repeat)) ?? texts.get(keyOf(name, row, 0))
    },
  }
}

function answerOf({ sample }: EvaluationRow): string | undefined {
  return sample?.output_text ?? undefined
}

function keyOf(task: string, row: number, repeat: number): string {
  return `${row} ${repeat} ${task}`
}

function tooLong(name: string): AssayError {
  const message = `The answers of '${name}' have more than ${MAX_CHARACTERS} characters together; compare with results over fewer rows.`
  return new AssayError("invalid_request", message)
}
