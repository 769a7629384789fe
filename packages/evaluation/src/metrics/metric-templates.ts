import { invalidRequest, misspeltName } from "@assay/schemas"
import { compileRowTemplate, type RowTemplate } from "../plan/row-template.ts"
import type { MetricSetup } from "./metric-definition.ts"

/** How many parameters are searched for a misspelling. */
const MAX_KEYS = 50

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
  const message = `is missing; give a template such as '{{ item.${first} }}'.${misspelling(setup.params, names)}`
  throw invalidRequest(path, message, "missing")
}

/** Names a parameter that was meant to be one of `names`; an empty text where there is none. */
function misspelling(params: MetricSetup["params"], names: readonly string[]): string {
  for (const key of Object.keys(params).slice(0, MAX_KEYS)) {
    const meant = misspeltName(key, names)
    if (meant !== undefined) return ` '${key}' has no effect here; did you mean '${meant}'?`
  }
  return ""
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
