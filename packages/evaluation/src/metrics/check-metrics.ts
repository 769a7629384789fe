import { createNumberCheck, createStringCheck } from "@assay/metrics"
import { invalidRequest } from "@assay/schemas"
import { plainMetric, scoreValue, type DefineMetric, type MetricSetup } from "./metric-definition.ts"
import type { RowTemplate } from "../plan/row-template.ts"
import { templateOf } from "./metric-templates.ts"

/** `string-check`: whether `check: [left, operator, right]` holds between two texts. */
export const stringCheckMetric: DefineMetric = (setup) => {
  const { operator, left, right } = checkOperands(setup)
  const holds = createStringCheck(operator)
  return plainMetric(setup, {
    scores: ["string-check"],
    templates: [left, right],
    score: (input) => ({ scores: { "string-check": holds(left.render(input), right.render(input)) } }),
  })
}

/** `number-check`: whether `check` holds between the last numbers of two texts. `numbers: "compat"` reads 1,234 as 234. */
export const numberCheckMetric: DefineMetric = (setup) => {
  const { operator, left, right, epsilon } = checkOperands(setup)
  const holds = createNumberCheck(operator, {
    ...(epsilon === undefined ? {} : { epsilon }),
    numbers: setup.params["numbers"] === "compat" ? "compat" : "exact",
  })
  return plainMetric(setup, {
    scores: ["number-check"],
    templates: [left, right],
    score: (input) => ({ scores: { "number-check": scoreValue(holds(left.render(input), right.render(input))) } }),
  })
}

/** `params.check`, read. */
interface CheckOperands {
  readonly operator: string
  readonly left: RowTemplate
  readonly right: RowTemplate
  /** Of `["absolute difference", left, right, "epsilon", n]`. */
  readonly epsilon: number | undefined
}

/** @throws `invalid_request` where `check` is none of its forms; `template_error` */
function checkOperands({ params, name }: MetricSetup): CheckOperands {
  const { check } = params
  const place = `${name}.check`
  if (!Array.isArray(check)) throw malformed(place, check)
  const parts: readonly unknown[] = check
  if (parts[0] === "absolute difference" && parts.length === 5 && parts[3] === "epsilon") {
    const left = templateOf(parts[1], `${place}.1`)
    return { operator: parts[0], left, right: templateOf(parts[2], `${place}.2`), epsilon: Number(parts[4]) }
  }
  const [left, operator, right] = parts
  if (parts.length !== 3 || typeof operator !== "string") throw malformed(place, check)
  return { operator, left: templateOf(left, `${place}.0`), right: templateOf(right, `${place}.2`), epsilon: undefined }
}

function malformed(place: string, check: unknown): Error {
  const forms =
    'write ["{{sample.output_text}}", "equals", "{{item.answer}}"], or ["absolute difference", left, right, "epsilon", 0.1] for numbers'
  return invalidRequest(place.split("."), `is no check; ${forms}.`, "value_error", check)
}
