import { createProgressLine, type ProgressLine } from "../progress-line.ts"
import { sayText, type Screen } from "../screen.ts"
import { formatEvaluationProgress, type ShownProgress } from "./format-evaluation-progress.ts"

/** Shows the progress of an evaluation: one line that is overwritten on a terminal, and nothing in files and pipes. */
export interface ProgressReporter {
  show(progress: ShownProgress): void
  /** Prints a text on its own line. */
  say(text: string): void
  end(): void
}

/** Creates a reporter of progress. With `json` it prints nothing, because stderr is reserved for the error object. */
export function createProgressReporter(screen: Screen, { json }: { readonly json?: boolean }): ProgressReporter {
  if (json === true) return { show: () => undefined, say: () => undefined, end: () => undefined }
  // The rate counts from the first progress on, without launch checks and rows that an earlier run has answered.
  let line: ProgressLine<ShownProgress> | undefined

  function begin(rows: number): ProgressLine<ShownProgress> {
    return createProgressLine(screen, (progress, elapsed) => formatEvaluationProgress(progress, elapsed, rows))
  }
  return {
    show: (progress) => {
      line ??= begin(progress.processed)
      line.show(progress)
    },
    say: (text) => {
      line?.clear()
      sayText(screen.stderr, `${text}\n`)
    },
    end: () => line?.clear(),
  }
}
