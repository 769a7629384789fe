import { invalidRequest, misspeltName } from "@assay/schemas"
import { compileRowTemplate, type RowTemplate } from "../templates/row-template.ts"
import type { MetricSetup } from "./metric-definition.ts"

/** How many parameters are searched for a misspelling. */
const MAX_KEYS = 50

/**
 * Compiles the template under the first of `names` that is given; undefined if none is. A number or boolean is taken as its text.
 * @throws `template_error`; `invalid_request` if it is not a text
 */
export function optionalTemplate({ params, name }: MetricSetup, names: readonly string[]): RowTemplate | undefined {
  const found = names.find((one) => params[one] !== undefined && params[one] !== null)
  return found === undefined ? undefined : templateOf(params[found], `${name}.${found}`)
}

/** Compiles a template that must be given. @throws as `optionalTemplate`; `invalid_request` if it is missing */
export function requiredTemplate(setup: MetricSetup, names: readonly string[]): RowTemplate {
  const found = optionalTemplate(setup, names)
  if (found !== undefined) return found
  const [first = ""] = names
  const path = [...setup.name.split("."), first]
  const message = `is missing; give a template such as '{{ item.${first} }}'.${misspelling(setup.params, names)}`
  throw invalidRequest(path, message, "missing")
}

/** Returns a sentence about a parameter that looks like a misspelt one of `names`; an empty text if there is none. */
function misspelling(params: MetricSetup["params"], names: readonly string[]): string {
  for (const key of Object.keys(params).slice(0, MAX_KEYS)) {
    const meant = misspeltName(key, names)
    if (meant !== undefined) return ` '${key}' has no effect here; did you mean '${meant}'?`
  }
  return ""
}

/** Compiles the template of a parameter. @throws `template_error`; `invalid_request` if it is not a text */
export function templateOf(value: unknown, name: string): RowTemplate {
  if (typeof value === "string") return compileRowTemplate(value, name)
  if (typeof value === "number" || typeof value === "boolean") return compileRowTemplate(String(value), name)
  throw invalidRequest(
    name.split("."),
    "is not a text; give a template such as '{{ item.answer }}'.",
    "string_type",
    value,
  )
}

/** Reads an option that is off by default. @throws `invalid_request` if it is neither true nor false */
export function flagOf({ params, name }: MetricSetup, key: string): boolean {
  const value = params[key] ?? false
  if (typeof value === "boolean") return value
  throw invalidRequest([...name.split("."), key], "is not true or false.", "boolean_type", value)
}
