import type { Context } from "../../../context.ts"
import { createProgressLine, type ProgressLine } from "../../../output/progress-line.ts"
import { sayText } from "../../../output/write-text.ts"
import type { JsonOption } from "../../action.ts"
import { formatEvaluationProgress, type ShownProgress } from "./format-evaluation-progress.ts"

/** Tells how far an evaluation is: a line that is written over on a terminal, a line for each tenth elsewhere. */
export interface ProgressTeller {
  show(progress: ShownProgress): void
  /** Says something on a line of its own. */
  say(text: string): void
  end(): void
}

const TENTHS = 10

/** With `--json`, stderr is for the error object alone: then nothing is told. */
export function createProgressTeller(context: Context, { json }: JsonOption): ProgressTeller {
  if (json === true) return { show: () => undefined, say: () => undefined, end: () => undefined }
  const { stderr, isTerminal, now } = context
  // From the first news on: checks tell nothing about the rate, nor do rows that an earlier run had answered.
  let begun: { readonly at: number; readonly rows: number; readonly line: ProgressLine<ShownProgress> } | undefined
  let tenths: number | undefined

  function begin(rows: number): NonNullable<typeof begun> {
    const format = (progress: ShownProgress, elapsed: number) => formatEvaluationProgress(progress, elapsed, rows)
    return { at: now(), rows, line: createProgressLine(context, format) }
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
      // The total can become known after the first rows: tenths count from the rows of the first news, not from the first total.
      tenths ??= Math.floor((begun.rows / total) * TENTHS)
      if (done > tenths) say(formatEvaluationProgress(progress, now() - begun.at, begun.rows))
      tenths = Math.max(tenths, done)
    },
    say,
    end: () => begun?.line.clear(),
  }
}
