import { isJsonObject } from "@assay/json"
import { AssayError, invalidRequest } from "@assay/schemas"
import { valueText } from "../../rows/value-text.ts"
import type { ScoringContext, ScoringEnvironment } from "../../scoring-context.ts"
import type { RowTemplate } from "../../templates/row-template.ts"
import type { ScoreInput, ScoreOptions } from "../bound-metric.ts"
import type { MetricSetup } from "../metric-definition.ts"
import { templateOf } from "../metric-templates.ts"

/** Where the answers are that a metric compares with. */
export type OpposingAnswer =
  | { readonly from: "template"; readonly template: RowTemplate }
  | { readonly from: "job"; readonly job: string; readonly task: string }

/** Reads `against`: a template, or `{job}` with a job, a baseline or a folder of results. @throws `invalid_request`, `template_error` */
export function opposingAnswer({ params, name }: MetricSetup): OpposingAnswer {
  const { against } = params
  if (isJsonObject(against)) {
    const { job, ...others } = against
    if (typeof job === "string" && job !== "" && Object.keys(others).length === 0) {
      // The parameters are at `tasks.<task>.metrics.<key>.params`, and a name can contain dots.
      const task = /^tasks\.(.+?)\.metrics\./s.exec(name)?.[1] ?? ""
      return { from: "job", job, task }
    }
  } else if (against !== undefined && against !== null && against !== "") {
    return { from: "template", template: templateOf(against, `${name}.against`) }
  }
  const rule =
    "names no other answer; write a template such as '{{ item.reference }}', or {job: …} with a job or a folder of results."
  throw invalidRequest(
    [...name.split("."), "against"],
    rule,
    against === undefined ? "missing" : "value_error",
    against,
  )
}

/** Returns the text that an answer is compared with. */
export type FindOpposing = (input: ScoreInput, options: ScoreOptions) => Promise<string> | string

/** Opens the answers. Those of a job are read when the first one is needed, because stored rows have them. */
export function openOpposing(
  opposing: OpposingAnswer,
  { environment, signal }: Pick<ScoringContext, "environment" | "signal">,
): FindOpposing {
  if (opposing.from === "template") {
    const { template } = opposing
    return (input) => valueText(template.evaluate(input))
  }
  const { job, task } = opposing
  let opened: ReturnType<NonNullable<ScoringEnvironment["openAnswers"]>> | undefined
  return async (input, { repeat = 0, comparedWith }) => {
    if (comparedWith !== undefined) return comparedWith
    const { row, item } = input
    opened ??= openAnswers(environment, job, signal)
    const text = row === undefined ? undefined : (await opened).find({ task, row, repeat, item })
    if (text !== undefined) return text
    const message = `The results '${job}' have no answer to this row, or their row asks something else; compare results over the same rows.`
    throw new AssayError("rows_invalid", message)
  }
}

/** Reads the answers of a job. @throws `invalid_request` if there are no results here; what reading them throws */
export function openAnswers({ openAnswers: open }: ScoringEnvironment, job: string, signal: AbortSignal) {
  if (open !== undefined) return open(job, signal)
  throw new AssayError("invalid_request", `There are no results '${job}' here.`)
}
