import type { Context } from "../../../context.ts"
import { createProgressLine } from "../../../output/progress-line.ts"
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
  const start = now()
  // Rows that an earlier run had answered tell nothing about the rate of this one.
  let before: number | undefined
  let tenths: number | undefined
  const format = (progress: ShownProgress, elapsed: number) =>
    formatEvaluationProgress(progress, elapsed, before ?? progress.processed)
  const line = createProgressLine(context, format)

  const say = (text: string) => {
    line.clear()
    stderr.write(`${text}\n`)
  }
  return {
    show: (progress) => {
      const { processed, total } = progress
      before ??= processed
      line.show(progress)
      if (isTerminal.stderr || total === null || total === 0) return
      const done = Math.floor((processed / total) * TENTHS)
      if (tenths !== undefined && done > tenths) say(format(progress, now() - start))
      tenths = Math.max(tenths ?? 0, done)
    },
    say,
    end: () => line.clear(),
  }
}
