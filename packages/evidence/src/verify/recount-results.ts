import { isAssayError, type JobGateState } from "@assay/schemas"
import { describeSide } from "../bundle/describe-side.ts"
import type { SideInput } from "../bundle/side-input.ts"
import type { EvidencePorts } from "../sides/evidence-ports.ts"
import { planSide } from "../sides/plan-side.ts"
import { recountSide } from "../sides/recount-side.ts"
import { addDifferences, createDifferences, type Difference } from "./differences.ts"

/** The result of counting rows again. */
export interface RecountedResults {
  /** The first 100 numbers that the rows do not give. */
  readonly differences: readonly Difference[]
  /** The gates of the configuration, as the rows decide them. */
  readonly gates?: readonly JobGateState[]
  /** Why the rows could not be counted. Undefined: they were. */
  readonly reason?: string
}

const NO_DIGEST: Parameters<typeof describeSide>[1] = { count: 0, bytes: 0, sha256: "", root: "", checks: "" }

/**
 * Counts the rows of results again, and names the numbers of `results.json` that they do not give. The scores of rows are believed, and so are corrections by labels.
 * Nothing is asked. Gates that compare with other results are left out.
 */
export async function recountResults(input: SideInput, ports: EvidencePorts): Promise<RecountedResults> {
  const { params = {} } = input.job.config
  const gates = (params.gates ?? []).filter(({ against }) => against === undefined)
  const config = { ...input.job.config, params: { ...params, ...(params.gates === undefined ? {} : { gates }) } }
  const differences = createDifferences()
  let decided: readonly JobGateState[] = []
  try {
    const side = describeSide(
      { ...input, job: { ...input.job, config, gates: [] }, role: "candidate" },
      NO_DIGEST,
      "reference",
    )
    const readable = { side, rows: input.rows }
    const plan = await planSide(readable, [readable], ports)
    try {
      const { result, ofConfig } = await recountSide(readable, plan, ports)
      decided = ofConfig
      addDifferences(differences, "result", side.result, JSON.parse(JSON.stringify(result)))
    } finally {
      await plan.close()
    }
  } catch (error) {
    if (!isAssayError(error)) throw error
    ports.signal.throwIfAborted()
    return { differences: [], reason: error.message }
  }
  return { differences: differences.list, gates: decided }
}
