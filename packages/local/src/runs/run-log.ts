import { appendFileSync, closeSync, constants, existsSync } from "node:fs"
import { join } from "node:path"
import { openRegularFile, openRegularFileSync } from "@assay/storage"
import type { JobLogLine } from "@assay/results"

/** A line with its time, in milliseconds since 1970, UTC. */
export type TimedLogLine = JobLogLine & { readonly at: number }

/** The log of a run. It is kept in the folder of the run over all attempts. */
export interface RunLog {
  append(line: JobLogLine): void
  lines(): AsyncIterable<TimedLogLine>
}

const NAME = "log.jsonl"
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT

export function openRunLog(folder: string, now: () => number): RunLog {
  const file = join(folder, NAME)
  return {
    // Synchronous: lines are rare, and no line is lost if the process ends.
    append(line) {
      const descriptor = openRegularFileSync(file, APPEND)
      try {
        appendFileSync(descriptor, `${JSON.stringify({ at: now(), ...line })}\n`)
      } finally {
        closeSync(descriptor)
      }
    },
    async *lines() {
      if (!existsSync(file)) return
      await using handle = await openRegularFile(file)
      for await (const line of handle.readLines({ autoClose: false })) {
        const parsed = parseLine(line)
        if (parsed !== undefined) yield parsed
      }
    },
  }
}

/** Returns undefined for a line that a crash truncated. */
function parseLine(line: string): TimedLogLine | undefined {
  try {
    return JSON.parse(line) as TimedLogLine
  } catch {
    return undefined
  }
}
