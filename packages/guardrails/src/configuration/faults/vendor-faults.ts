import type { GuardrailModel, ValidationIssue } from "@assay/schemas"
import { isSet, KEY_PARAMETERS, REQUEST_PARAMETERS, type EffectiveData } from "../effective-data.ts"
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

/** Kinds of rails that are not supported, and what they judge. */
const OTHER_RAILS = {
  retrieval: "retrieved documents",
  tool_input: "results of tools",
  tool_output: "calls of tools",
} as const

function railFaults({ rails }: EffectiveData): readonly ValidationIssue[] {
  return (["retrieval", "tool_input", "tool_output"] as const).flatMap((kind) => {
    const flows = rails[kind]?.["flows"]
    if (!isSet(flows)) return []
    const names = Array.isArray(flows) ? flows.filter((flow) => typeof flow === "string").slice(0, 5) : []
    const msg = `rails over ${OTHER_RAILS[kind]} are not run${names.length === 0 ? "" : ` (${names.map((name) => `'${name}'`).join(", ")})`}; remove them`
    return [configurationFault(["rails", kind, "flows"], msg, "unsupported")]
  })
}

/** Lists the faults of Colang settings, which are not executed: dialogs, and rails in files of their own. */
function colangFaults(data: EffectiveData): readonly ValidationIssue[] {
  const dialog = "dialog rails are not run, so what they refuse would pass; remove them"
  const hasFlows = [...(data.rails.input?.flows ?? []), ...(data.rails.output?.flows ?? [])].length > 0
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
