import { removeSecrets } from "@assay/inference"
import type { ConditionFinder } from "../conditions/create-condition-finder.ts"
import type { JobLogLine } from "../jobs/job-progress.ts"

const MAX_CHARACTERS = 16 * 1024 * 1024
const LAST_LINES = 5

interface HarnessLogOptions {
  /** Values that are removed from each line. */
  readonly secrets: readonly string[]
  readonly onLog: (line: JobLogLine) => void
  readonly conditions: Pick<ConditionFinder, "addLogLine">
  /** Default 16 Mi. */
  readonly maxCharacters?: number
}

/** The log of a harness: its lines without secrets, up to a size. All lines are searched for conditions. */
interface HarnessLog {
  add(line: string): void
  /** Returns the last 5 lines. */
  last(): readonly string[]
}

export function createHarnessLog(options: HarnessLogOptions): HarnessLog {
  const { secrets, onLog, conditions, maxCharacters = MAX_CHARACTERS } = options
  const last: string[] = []
  let [left, isFull] = [maxCharacters, false]
  return {
    add(line) {
      const clean = removeSecrets(line, secrets)
      last.push(clean)
      if (last.length > LAST_LINES) last.shift()
      conditions.addLogLine(clean)
      left -= clean.length
      if (left >= 0) return onLog({ level: levelOf(clean), message: clean })
      if (!isFull)
        onLog({
          level: "warn",
          message: `The harness wrote more than ${maxCharacters} characters; the rest is not kept.`,
        })
      isFull = true
    },
    last: () => [...last],
  }
}

/** Finds the level by the words of a line. Standard error says nothing: programs write progress there too. */
function levelOf(line: string): JobLogLine["level"] {
  if (/\b(ERROR|CRITICAL|FATAL)\b|^Traceback |^[\w.]*(Error|Exception)\b/.test(line)) return "error"
  return /\bWARN(ING)?\b/.test(line) ? "warn" : "info"
}
