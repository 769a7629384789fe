import { listOf } from "@assay/json"
import type { GuardrailModel, ValidationIssue } from "@assay/schemas"
import { countFlows, isSet, KEY_PARAMETERS, REQUEST_PARAMETERS, type EffectiveData } from "../effective-data.ts"
import { judgeTypes } from "../plan-judge.ts"
import { configurationFault } from "./configuration-fault.ts"

/** Placeholders in the vendor's documentation for endpoints without a key. */
const PLACEHOLDER_KEY = /^(empty|none|null|dummy|not-needed)?$/i

/**
 * Lists settings of a configuration in the vendor's form that are not supported, and whose absence would let a message pass or
 * block it. `given` is the configuration as written.
 */
export function vendorFaults(
  given: { readonly models?: readonly GuardrailModel[] },
  data: EffectiveData,
): readonly ValidationIssue[] {
  return [...modelFaults(given.models ?? [], data), ...railFaults(data), ...colangFaults(data)]
}

function modelFaults(models: readonly GuardrailModel[], data: EffectiveData): readonly ValidationIssue[] {
  const judges = judgeTypes(data)
  return models.flatMap(({ type, mode, parameters = {} }, index) => {
    const at = (key: string) => ["models", index, "parameters", key]
    const keys = KEY_PARAMETERS.filter((key) => !isPlaceholder(parameters[key]))
    const requests = REQUEST_PARAMETERS.filter((key) => isSet(parameters[key]))
    return [
      ...keys.map((key) => {
        const msg =
          "contains a key, which would be stored and shown; store it as a secret and name that in `api_key_secret`, or name its variable in `api_key_env_var`"
        return configurationFault(at(key), msg, "inline_key")
      }),
      ...requests.map((key) => {
        const msg = "is not sent, so the endpoint would answer differently; remove it"
        return configurationFault(at(key), msg, "unsupported")
      }),
      ...(mode === "text" && judges.has(type) ? [textModeFault(type, index)] : []),
    ]
  })
}

function textModeFault(type: string, index: number): ValidationIssue {
  const msg = `judges use chat completions, and the model of type '${type}' is configured for text completions; remove \`mode\` if its endpoint has /chat/completions, or name another model`
  return configurationFault(["models", index, "mode"], msg, "unsupported", "text")
}

function isPlaceholder(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && PLACEHOLDER_KEY.test(value))
}

/** Lists the faults of rails over documents, which are not run. */
function railFaults({ rails }: EffectiveData): readonly ValidationIssue[] {
  const flows = rails.retrieval?.["flows"]
  if (!isSet(flows)) return []
  const names = listOf(flows)
    .filter((flow) => typeof flow === "string")
    .slice(0, 5)
  const named = names.length === 0 ? "" : ` (${names.map((name) => `'${name}'`).join(", ")})`
  const msg = `rails over retrieved documents are not run${named}; remove them`
  return [configurationFault(["rails", "retrieval", "flows"], msg, "unsupported")]
}

/** Lists the faults of Colang settings, which are not executed: dialogs, and rails in files of their own. */
function colangFaults(data: EffectiveData): readonly ValidationIssue[] {
  const dialog = "dialog rails are not run, so what they refuse would pass; remove them"
  const hasFlows = countFlows(data.rails) > 0
  return [
    ...(isSet(data.user_messages) ? [configurationFault(["user_messages"], dialog, "unsupported")] : []),
    ...(isSet(data.flows) ? [configurationFault(["flows"], dialog, "unsupported")] : []),
    ...(isSet(data.import_paths)
      ? [
          configurationFault(
            ["import_paths"],
            "no files are imported, and they may contain rails; write their content here, and remove this key",
            "unsupported",
          ),
        ]
      : []),
    ...(isColang2(data) && !hasFlows
      ? [
          configurationFault(
            ["colang_version"],
            "a configuration of Colang 2 has its rails in .co files, which are not run; name flows in rails.input or rails.output",
            "unsupported",
          ),
        ]
      : []),
  ]
}

export function isColang2({ colang_version }: Pick<EffectiveData, "colang_version">): boolean {
  return String(colang_version ?? "1.0").startsWith("2")
}
