import { invalidRequest } from "@assay/schemas"
import { compileRowTemplate, type RowTemplate } from "../plan/row-template.ts"
import type { MetricSetup } from "./metric-definition.ts"

/**
 * The template under the first of `names` that is given; undefined where none is. A number or boolean stands for itself.
 * @throws `template_error`; `invalid_request` where it is no text
 */
export function optionalTemplate({ params, name }: MetricSetup, names: readonly string[]): RowTemplate | undefined {
  const found = names.find((one) => params[one] !== undefined && params[one] !== null)
  return found === undefined ? undefined : templateOf(params[found], `${name}.${found}`)
}

/** The same where it must be given. @throws as `optionalTemplate`; `invalid_request` where it is missing */
export function requiredTemplate(setup: MetricSetup, names: readonly string[]): RowTemplate {
  const found = optionalTemplate(setup, names)
  if (found !== undefined) return found
  const [first = ""] = names
  const path = [...setup.name.split("."), first]
  throw invalidRequest(path, `is missing; give a template such as '{{ item.${first} }}'.`, "missing")
}

/** @throws `template_error`; `invalid_request` where it is no text */
export function templateOf(value: unknown, name: string): RowTemplate {
  if (typeof value === "string") return compileRowTemplate(value, name)
  if (typeof value === "number" || typeof value === "boolean") return compileRowTemplate(String(value), name)
  throw invalidRequest(
    name.split("."),
    "is no text; give a template such as '{{ item.answer }}'.",
    "string_type",
    value,
  )
}
