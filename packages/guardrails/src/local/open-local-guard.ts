import { readKeyVariable, type KeyVariables } from "@assay/inference"
import { type GuardrailData, type GuardrailModel, printable } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { configurationDigest } from "../configuration/configuration-digest.ts"
import { effectiveModel, withMain } from "../configuration/effective-data.ts"
import type { GuardrailContext } from "../guardrail.ts"
import { openGuardrail } from "../rails/open-guardrail.ts"
import type { OpenedGuard } from "./opened-guard.ts"

/** The keys of the models that this machine asks. */
export interface JudgeKeys extends KeyVariables {
  /** Whether the user chose `defaultVariable`. It then also applies to models that name a variable. */
  readonly isChosen: boolean
}

export interface LocalGuardOptions {
  readonly name: string
  /** The configuration in messages, such as `--config 'strict.yml'`. */
  readonly source: string
  readonly data: GuardrailData
  readonly keys: JudgeKeys
  readonly context: Omit<GuardrailContext, "resolveSecret" | "defaultUrl">
  /** Receives each part of the configuration that has no effect, and prompts that do not show the text to judge. */
  readonly onWarning: (warning: string) => Promise<void>
}

/** The same name as the setting of the server. */
export const DEFAULT_URL_VARIABLE = "ASSAY_DEFAULT_INFERENCE_URL"

/**
 * Opens a configuration whose models this machine asks. Keys come from the environment: from the variable that the user chose,
 * else the one that the model names, else the default one.
 * @throws `bad_document` if the configuration is not valid, `bad_settings` if a key is missing
 */
export async function openLocalGuard(options: LocalGuardOptions): Promise<OpenedGuard> {
  const { name, source, data, keys, context, onWarning } = options
  const defaultUrl = keys.env[DEFAULT_URL_VARIABLE]
  const secrets = new Map<string, string>()
  const models = withMain(data.models ?? []).map((model, index) => {
    const key = keyOfModel(effectiveModel(model), keys, defaultUrl)
    if (key === undefined) return model
    secrets.set(`key-${index}`, key)
    return { ...model, api_key_secret: `key-${index}` }
  })
  const guardrail = await openGuardrail(
    { ...data, models },
    {
      ...context,
      ...(defaultUrl === undefined || defaultUrl === "" ? {} : { defaultUrl }),
      resolveSecret: async (reference) => {
        const key = secrets.get(reference)
        if (key !== undefined) return key
        const message = `A model names the secret '${reference}', and ${keys.defaultVariable} is not set: put its key into that variable.`
        throw new AssayError("bad_settings", message)
      },
    },
  ).catch((error: unknown) => {
    throw withFileLocations(error, source)
  })
  for (const { loc, msg } of guardrail.warnings) await onWarning(`${loc.slice(2).join(".")}: ${msg}`)
  return {
    name,
    digest: configurationDigest(data),
    data,
    check: (prompt, ask) =>
      guardrail.checkPrompt(prompt, ask).catch((error: unknown) => {
        throw withFileLocations(error, source)
      }),
    close: () => guardrail.close(),
  }
}

/**
 * Returns the key of a model: in the variable that it names, else the default one. A model without an address gets none.
 * @param defaultUrl the address of models that name none
 * @throws `key_not_allowed`; `bad_settings` if a named variable is empty
 */
export function keyOfModel(
  { type, api_key_env_var: named, ...model }: GuardrailModel,
  keys: JudgeKeys,
  defaultUrl?: string,
): string | undefined {
  const url = model.url ?? defaultUrl
  if (url === undefined || url === "") return undefined
  const { defaultVariable } = keys
  const own = named == null || keys.isChosen ? undefined : readKeyVariable(keys, named, url)
  const key = own ?? readKeyVariable(keys, defaultVariable, url)
  if (key !== undefined || named == null || keys.isChosen) return key
  const message = `The model of type '${printable(type)}' takes its key from ${named}, which is not set: put the key into it, or into ${defaultVariable}.`
  throw new AssayError("bad_settings", message)
}

/** Further faults are shown after these are corrected. */
const SHOWN_FAULTS = 10

/** Replaces the location of faults in a request body by their location in the file. */
function withFileLocations(error: unknown, source: string): unknown {
  if (!isAssayError(error, "invalid_request") || !error.issues.every(({ loc }) => loc[1] === "data")) return error
  const faults = error.issues
    .slice(0, SHOWN_FAULTS)
    .map(({ loc, msg }) => `\n  ${printable(`${loc.slice(2).join(".")}: ${msg}`)}`)
  return new AssayError("bad_document", `${source} is not valid:${faults.join("")}`, { cause: error })
}
