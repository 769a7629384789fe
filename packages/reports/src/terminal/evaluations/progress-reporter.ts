import { createProgressLine, type ProgressLine } from "../progress-line.ts"
import { sayText, type Screen } from "../screen.ts"
import { formatEvaluationProgress, type ShownProgress } from "./evaluation-progress.ts"

/** Shows the progress of an evaluation: one line that is overwritten on a terminal, and a line for each tenth elsewhere. */
export interface ProgressReporter {
  show(progress: ShownProgress): void
  /** Prints a text on its own line. */
  say(text: string): void
  end(): void
}

const TENTHS = 10

/** Creates a reporter of progress. With `json` it prints nothing, because stderr is reserved for the error object. */
export function createProgressReporter(screen: Screen, { json }: { readonly json?: boolean }): ProgressReporter {
  if (json === true) return { show: () => undefined, say: () => undefined, end: () => undefined }
  const { stderr, isTerminal, now } = screen
  // The rate counts from the first progress on, without launch checks and rows that an earlier run has answered.
  let begun: { readonly at: number; readonly rows: number; readonly line: ProgressLine<ShownProgress> } | undefined
  let tenths: number | undefined

  function begin(rows: number): NonNullable<typeof begun> {
    const format = (progress: ShownProgress, elapsed: number) => formatEvaluationProgress(progress, elapsed, rows)
    return { at: now(), rows, line: createProgressLine(screen, format) }
  }
  const say = (text: string) => {
    begun?.line.clear()
    sayText(stderr, `${text}\n`)
  }
  return {
    show: (progress) => {
      const { processed, total } = progress
      begun ??= begin(processed)
      begun.line.show(progress)
      if (isTerminal.stderr || total === null || total === 0) return
      const done = Math.floor((processed / total) * TENTHS)
      // The total can become known after the first rows. Tenths count from the rows of the first progress.
      tenths ??= Math.floor((begun.rows / total) * TENTHS)
      if (done > tenths) say(formatEvaluationProgress(progress, now() - begun.at, begun.rows))
      tenths = Math.max(tenths, done)
    },
    say,
    end: () => begun?.line.clear(),
  }
}
