import { invalidRequest } from "@assay/schemas"
import type { RowTemplate } from "../templates/row-template.ts"
import type { MetricSetup } from "./metric-definition.ts"
import { templateOf } from "./metric-templates.ts"

/** `params.check`, read. */
export interface CheckOperands {
  readonly operator: string
  readonly left: RowTemplate
  readonly right: RowTemplate
  /** Of `["absolute difference", left, right, "epsilon", n]`. */
  readonly epsilon: number | undefined
}

/** @throws `invalid_request` where `check` is none of its forms; `template_error` */
export function checkOperands({ params, name }: MetricSetup): CheckOperands {
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
