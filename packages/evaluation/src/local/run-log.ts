import { appendFileSync, closeSync, constants, existsSync } from "node:fs"
import { join } from "node:path"
import type { JobLogLine, TimedLogLine } from "@assay/evaluation"
import { openRegularFile, openRegularFileSync } from "@assay/storage/paths"

/** The log of a run, kept in its folder over all its rounds. */
export interface RunLog {
  append(line: JobLogLine): void
  lines(): AsyncIterable<TimedLogLine>
}

const NAME = "log.jsonl"
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT

export function openRunLog(folder: string, now: () => number): RunLog {
  const file = join(folder, NAME)
  return {
    // Seldom enough that waiting for the disk does not matter, and nothing is lost when the process is.
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

/** A line that a crash cut off is passed over. */
function parseLine(line: string): TimedLogLine | undefined {
  try {
    return JSON.parse(line) as TimedLogLine
  } catch {
    return undefined
  }
}
