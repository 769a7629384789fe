import { resultScores } from "@assay/results"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { resultOf } from "../eval/show-results.ts"

/** Scores that a message names. */
const MAX_NAMED = 20

/** Returns the score that labels are about: the one that `--metric` names, or the only one of the job. @throws `bad_usage` if it has several */
export async function scoreToLabel(context: Context, job: string, metric: string | undefined): Promise<string> {
  if (metric !== undefined) return metric
  const scores = resultScores.list(await resultOf(context, job)).map((one) => `${one.metric}.${one.score}`)
  const [only, ...others] = new Set(scores)
  if (only !== undefined && others.length === 0) return only
  const named = [only, ...others].flatMap((one) => one ?? [])
  const some = named.slice(0, MAX_NAMED).map(printable).join(", ")
  const message =
    named.length === 0
      ? `'${printable(job)}' has no score so far: labels are about one.`
      : `'${printable(job)}' has several scores: give --metric with one of ${some}${named.length > MAX_NAMED ? ", …" : ""}.`
  throw new AssayError("bad_usage", message)
}
