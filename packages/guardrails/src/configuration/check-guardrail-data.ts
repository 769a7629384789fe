import { AssayError, type GuardrailData } from "@assay/schemas"
import { ensembleFaults } from "./ensemble-faults.ts"
import { flowFaults } from "./flow-faults.ts"
import { modelFaults } from "./model-faults.ts"
import { promptFaults } from "./prompt-faults.ts"

/**
 * Checks what the schema of a configuration can't: that its flows, models, prompts, policies and ensembles fit together, and that
 * prompts are templates over names that there are. Whether a model has a `url` is for the opening: requests may bring models.
 * @throws `invalid_request` with an issue for each fault
 */
export function checkGuardrailData(data: GuardrailData): void {
  const issues = [...modelFaults(data), ...promptFaults(data), ...flowFaults(data), ...ensembleFaults(data)]
  const [first] = issues
  if (first === undefined) return
  throw new AssayError("invalid_request", `${first.loc.join(".")}: ${first.msg}`, { issues })
}
