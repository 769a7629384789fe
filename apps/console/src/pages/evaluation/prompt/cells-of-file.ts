import { isObject } from "@assay/json"
import type { LiveBody } from "@assay/schemas"
import type { LineFault } from "../../../components/code-editor/fault-lines.tsx"
import type { FileTools } from "../launch/use-file-tools.ts"

/** A model with a prompt, which is tried on rows. */
export interface TriedModel {
  readonly label: string
  /** Returns the body that asks about one row. */
  readonly bodyOf: (row: unknown) => LiveBody
}

export interface TriedFile {
  /** Empty if the file has a fault. */
  readonly models: readonly TriedModel[]
  readonly faults: readonly LineFault[]
}

/** More models are not tried side by side. */
export const MAX_TRIED = 6

/** Returns what an evaluation file asks about one row: each model with each prompt. Gates, repeats and limits are left out. */
export function cellsOfFile(value: unknown, tools: Pick<FileTools, "readLaunchFile"> | undefined): TriedFile {
  if (tools === undefined || !isObject(value) || value["data"] === undefined) return { models: [], faults: [] }
  const { gates: _gates, repeat: _repeat, limits: _limits, results: _results, executor: _executor, ...asked } = value
  const readWith = (row: unknown) =>
    tools.readLaunchFile(JSON.stringify({ ...asked, data: [row], limits: { rows: 1, retries: 1 } }))
  const { jobs, faults } = readWith({ a: 1 })
  const models = jobs.slice(0, MAX_TRIED).map(({ label, content }, index) => ({
    label: label ?? nameOf(content.target),
    bodyOf: (row: unknown) => {
      const { namespace, target, config } = readWith(row).jobs[index]?.body ?? jobs[index]?.body ?? {}
      return { ...(namespace === undefined ? {} : { namespace }), target, config } as LiveBody
    },
  }))
  return { models, faults }
}

function nameOf(target: unknown): string {
  const model = isObject(target) && isObject(target["model"]) ? target["model"]["api_endpoint"] : undefined
  return isObject(model) && typeof model["model_id"] === "string" ? model["model_id"] : "answers"
}
