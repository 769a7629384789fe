import type { EvaluationTask, GuardrailConfiguration, LaunchBody } from "@assay/schemas"
import { filesUrl } from "../../../api/files-url.ts"

/** The fields of the form that calibrates judges. */
export interface CalibrationForm {
  /** `workspace/fileset#path` */
  readonly dataset: string
  /** Names of guardrails, as `workspace/name`. */
  readonly judges: readonly string[]
  /** The endpoint of the models below. */
  readonly url: string
  /** The models for guardrails without an address, separated by commas. */
  readonly models: string
  readonly secret: string
  /** Percent; empty: no limit. */
  readonly maxFalseBlock: string
  readonly maxMiss: string
}

export const FIRST_CALIBRATION: CalibrationForm = {
  dataset: "",
  judges: [],
  url: "",
  models: "",
  secret: "",
  maxFalseBlock: "5",
  maxMiss: "10",
}

/** Returns whether a guardrail has a model without an address, which the form has to name. */
export function needsModel({ data }: Pick<GuardrailConfiguration, "data">): boolean {
  const { models = [] } = data
  return models.length === 0 || models.some(({ url, parameters }) => url === undefined && !hasAddress(parameters))
}

function hasAddress(parameters: unknown): boolean {
  return typeof parameters === "object" && parameters !== null && "base_url" in parameters
}

export interface CalibrationBodyOptions {
  readonly workspace: string
  /** The guardrails of the form that have a model without an address, as `workspace/name`. */
  readonly open: ReadonlySet<string>
}

/** Returns the definition of the job that a form describes: a judge for each guardrail, and for each model if it needs one. */
export function bodyOfCalibration(form: CalibrationForm, { workspace, open }: CalibrationBodyOptions): LaunchBody {
  const models = form.models
    .split(",")
    .map((model) => model.trim())
    .filter((model) => model !== "")
  const judges = form.judges.flatMap((guardrail): (readonly [string, EvaluationTask])[] => {
    if (!open.has(guardrail)) return [[guardrail, { params: { guardrail } }]]
    return models.map((model_id) => [
      `${guardrail} × ${model_id}`,
      { params: { guardrail, model: modelOf(form, model_id) } },
    ])
  })
  const params = {
    ...(form.maxFalseBlock === "" ? {} : { max_false_block: Number(form.maxFalseBlock) / 100 }),
    ...(form.maxMiss === "" ? {} : { max_miss: Number(form.maxMiss) / 100 }),
  }
  return {
    namespace: workspace,
    description: `Calibration of ${judges.map(([name]) => name).join(", ")}`.slice(0, 200),
    target: { type: "dataset", dataset: { files_url: filesUrl(form.dataset) } },
    config: { type: "calibration", params, tasks: Object.fromEntries(judges) },
  }
}

function modelOf({ url, secret }: CalibrationForm, model_id: string): object {
  return { api_endpoint: { url, model_id, ...(secret === "" ? {} : { api_key_secret: secret }) } }
}
