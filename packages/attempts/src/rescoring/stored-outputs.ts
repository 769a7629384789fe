import { type JobStatus, printable } from "@assay/schemas"
import { openRegularFile, readSlice } from "@assay/storage"

/** How a job ended, as `config/job.json` of its results says. */
export interface SourceEnd {
  readonly status: JobStatus
  /** The units of each task: its rows times their repeats. Absent: an older version wrote the results. */
  readonly units?: Readonly<Record<string, number | null>> | undefined
}

/** Returns why the outputs of a job that did not complete are too few to decide anything. Undefined: it asked all of its rows. */
export function unansweredOf({ status, units = {} }: SourceEnd, processed: number): string | undefined {
  if (status === "COMPLETED") return undefined
  const counts = Object.values(units)
  const all = counts.reduce<number>((sum, count) => sum + (count ?? Number.NaN), 0)
  if (counts.length > 0 && processed >= all) return undefined
  const some = Number.isNaN(all) || counts.length === 0 ? "a part of its" : `${processed} of its ${all}`
  return `The earlier job is ${printable(status)} with ${some} answers: resume it, and score its outputs again.`
}

/** Opens a file of rows, which can be read until it is closed. @throws `local_file_failed` */
export async function openStoredRows(path: string) {
  const handle = await openRegularFile(path)
  const { size } = await handle.stat()
  return {
    size,
    slice: (start: number, end: number) => readSlice(handle, start, Math.min(end, size)),
    async *bytes(signal?: AbortSignal) {
      for (let at = 0; at < size; at += PIECE_BYTES) {
        signal?.throwIfAborted()
        yield await readSlice(handle, at, Math.min(size, at + PIECE_BYTES))
      }
    },
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

const PIECE_BYTES = 1024 * 1024
