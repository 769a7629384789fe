import { effectiveData, openGuardrail, withModels, type Guardrail } from "@assay/guardrails"
import type { ApiEndpoint, GuardrailData, GuardrailModel } from "@assay/schemas"
import type { PlanContext } from "../../plan/task-shape.ts"
import { callLimits, type RunParams } from "../../models/run-params.ts"

export interface TargetGuardrail {
  /** By name, or written out. */
  readonly guardrail: string | GuardrailData
  /** The target's model, which judges wherever the configuration names no address. */
  readonly endpoint: ApiEndpoint | undefined
  readonly run: RunParams
}

/** Stands for the key of the target among the secrets that guardrails ask for. */
const TARGET_KEY = "evaluation-target-key"

/** Opens the guardrail that is evaluated, and closes it with the plan. @throws `not_found`, `secret_not_readable`, `invalid_request` */
export async function openTargetGuardrail(
  { guardrail, endpoint, run }: TargetGuardrail,
  context: PlanContext,
): Promise<Guardrail> {
  const { environment, onClose } = context
  const data = typeof guardrail === "string" ? await environment.getGuardrail(guardrail) : guardrail
  const key = endpoint === undefined ? undefined : await environment.resolveKey(endpoint)
  const opened = await openGuardrail(endpoint === undefined ? data : withTarget(data, endpoint, key !== undefined), {
    inference: environment.inference,
    inferenceDefaults: callLimits(run),
    resolveSecret: (reference) =>
      reference === TARGET_KEY && key !== undefined ? Promise.resolve(key) : environment.resolveSecret(reference),
    now: environment.now,
    newId: () => environment.newId("chatcmpl"),
  })
  onClose(() => opened.close())
  return opened
}

function withTarget(data: GuardrailData, { url, model_id: model, ca }: ApiEndpoint, hasKey: boolean): GuardrailData {
  const own = {
    url,
    model,
    ...(hasKey ? { api_key_secret: TARGET_KEY } : {}),
    ...(ca === undefined ? {} : { ca }),
  }
  const open = effectiveData(data)
    .models.filter((one) => one.url === undefined)
    .map((one): GuardrailModel => ({ ...one, ...own }))
  return withModels(data, open)
}
