import { judgeAdvice } from "@assay/results"
import type { EvaluationConfigBody, EvaluationResult } from "@assay/schemas"
import type { Context } from "../../context.ts"

/** Returns a sentence for each score of a judge for which no row of the job has a label. @param jobOrFolder the id or the folder of the job */
export async function adviseOnJudges(
  context: Context,
  config: EvaluationConfigBody,
  result: EvaluationResult | null,
  jobOrFolder: string,
): Promise<readonly string[]> {
  const advice = result === null ? [] : judgeAdvice(config, result, jobOrFolder)
  if (advice.length === 0) return []
  // Scores are shown even if the file of labels can't be read.
  try {
    const { openLabels } = await import("./open-labels.ts")
    await using labels = await openLabels(context, jobOrFolder, {})
    const found = []
    for (const { metric, text } of advice) {
      if ((await labels.desk.list(metric)).data.length === 0) found.push(text)
    }
    return found
  } catch {
    return advice.map(({ text }) => text)
  }
}
