import { createNumberCheck, createStringCheck } from "@assay/metrics"
import { invalidRequest, isAssayError } from "@assay/schemas"
import { listOf, nearestNumber, readNumber } from "@assay/json"
import { createStepBudget } from "@assay/templates"
import { valueText } from "../rows/value-text.ts"
import type { RowTemplate } from "../templates/row-template.ts"
import {
  plainMetric,
  scoreValue,
  type DefineMetric,
  type MetricDefinition,
  type MetricSetup,
} from "./metric-definition.ts"
import { templateOf } from "./metric-templates.ts"

/**
 * `string-check`: 1 if `check: [left, operator, right]` holds for two texts, else 0. A search for an empty text has no score. With
 * `contains any` and `contains all`, the right side is a list of templates, or a template that gives a list.
 */
export const stringCheckMetric: DefineMetric = (setup) => {
  const listed = listCheck(setup)
  if (listed !== undefined) return listed
  const { operator, left, right } = checkOperands(setup)
  const holds = createStringCheck(operator)
  if (operator === "matches" && right.template.reads.length === 0) checkPattern(holds, right, setup.name)
  return plainMetric(setup, {
    scores: ["string-check"],
    templates: [left, right],
    score: (input) => ({ scores: { "string-check": scoreValue(holds(left.render(input), right.render(input))) } }),
  })
}

/** Compiles a pattern that is the same for all rows, before any is asked. @throws `invalid_request` for a bad one */
function checkPattern(matches: ReturnType<typeof createStringCheck>, pattern: RowTemplate, name: string): void {
  const text = pattern.render({ item: {} })
  try {
    matches("", text)
  } catch (error) {
    if (!isAssayError(error, "invalid_request")) throw error
    const [issue] = error.issues
    throw invalidRequest([...name.split("."), "check", 2], issue?.msg ?? error.message, "value_error", text)
  }
}

/** Defines a check of a text and a list; undefined for other operators. @throws `invalid_request`, `template_error` */
function listCheck(setup: MetricSetup): MetricDefinition | undefined {
  const { params, name } = setup
  const [left, operator, right] = listOf(params["check"])
  if (operator !== "contains any" && operator !== "contains all") return undefined
  const location = `${name}.check`
  const text = templateOf(left, `${location}.0`)
  const parts = Array.isArray(right)
    ? right.map((one, index) => templateOf(one, `${location}.2.${index}`))
    : [templateOf(right, `${location}.2`)]
  return plainMetric(setup, {
    scores: ["string-check"],
    templates: [text, ...parts],
    score(input) {
      const whole = text.render(input)
      const steps = createStepBudget()
      const pieces = parts.flatMap((part) => part.evaluate(input, steps)).map(valueText)
      // Every text contains the empty text, so a search for it says nothing.
      if (pieces.includes("")) return { scores: { "string-check": "NaN" } }
      const isIn = (piece: string) => whole.includes(piece)
      const isTrue = operator === "contains any" ? pieces.some(isIn) : pieces.every(isIn)
      return { scores: { "string-check": isTrue ? 1 : 0 } }
    },
  })
}

/** `number-check`: 1 if `check` holds for the last numbers of two texts, else 0. `numbers: "compat"` reads 1,234 as 234. */
export const numberCheckMetric: DefineMetric = (setup) => {
  const { operator, left, right, epsilon } = checkOperands(setup)
  const holds = createNumberCheck(operator, {
    epsilon,
    numbers: setup.params["numbers"] === "compat" ? "compat" : "exact",
  })
  return plainMetric(setup, {
    scores: ["number-check"],
    templates: [left, right],
    score: (input) => ({ scores: { "number-check": scoreValue(holds(left.render(input), right.render(input))) } }),
  })
}

/** The parts of `params.check`. */
interface CheckOperands {
  readonly operator: string
  readonly left: RowTemplate
  readonly right: RowTemplate
  /** The last part of `["absolute difference", left, right, "epsilon", n]`. */
  readonly epsilon: number | undefined
}

/** Reads `params.check`. @throws `invalid_request` if it has none of the known forms; `template_error` */
function checkOperands({ params, name }: MetricSetup): CheckOperands {
  const { check } = params
  const location = `${name}.check`
  if (!Array.isArray(check)) throw malformed(location, check)
  const parts: readonly unknown[] = check
  if (parts[0] === "absolute difference" && parts.length === 5 && parts[3] === "epsilon") {
    const left = templateOf(parts[1], `${location}.1`)
    return { operator: parts[0], left, right: templateOf(parts[2], `${location}.2`), epsilon: epsilonOf(parts[4]) }
  }
  const [left, operator, right] = parts
  if (parts.length !== 3 || typeof operator !== "string") throw malformed(location, check)
  return {
    operator,
    left: templateOf(left, `${location}.0`),
    right: templateOf(right, `${location}.2`),
    epsilon: undefined,
  }
}

/** Returns a number or a decimal text as a number; NaN for anything else. */
function epsilonOf(value: unknown): number {
  if (typeof value === "string") return readNumber(value.trim()) ?? Number.NaN
  const number = nearestNumber(value)
  return typeof number === "number" ? number : Number.NaN
}

function malformed(location: string, check: unknown): Error {
  const forms =
    'write ["{{sample.output_text}}", "equals", "{{item.answer}}"], or ["absolute difference", left, right, "epsilon", 0.1] for numbers'
  return invalidRequest(location.split("."), `is not a check; ${forms}.`, "value_error", check)
}
