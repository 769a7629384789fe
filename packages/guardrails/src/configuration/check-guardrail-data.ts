import { AssayError, type GuardrailData, type ValidationIssue } from "@assay/schemas"
import { effectiveData } from "./effective-data.ts"
import { configurationWarnings } from "./faults/configuration-warnings.ts"
import { ensembleFaults, flowFaults } from "./faults/flow-faults.ts"
import { modelFaults } from "./faults/model-faults.ts"
import { patternFaults } from "./faults/pattern-faults.ts"
import { promptFaults } from "./faults/prompt-faults.ts"
import { vendorFaults } from "./faults/vendor-faults.ts"

/**
 * Checks a configuration beyond its schema: flows, models, prompts, policies and ensembles fit together, prompts are templates that
 * read existing names, and no unsupported setting would decide a verdict. Whether a model has a `url` is checked when the guardrail
 * is opened, because requests may give models.
 * @returns settings that have no effect, and prompts that do not show the text to judge
 * @throws `invalid_request` with an issue for each fault
 */
export function checkGuardrailData(given: GuardrailData): readonly ValidationIssue[] {
  const data = effectiveData(given)
  const issues = [
    ...modelFaults(data),
    ...promptFaults(data),
    ...flowFaults(data),
    ...ensembleFaults(data),
    ...patternFaults(data),
    ...vendorFaults(given, data),
  ]
  const [first] = issues
  if (first === undefined) return configurationWarnings(given)
  throw new AssayError("invalid_request", `${first.loc.join(".")}: ${first.msg}`, { issues })
}
