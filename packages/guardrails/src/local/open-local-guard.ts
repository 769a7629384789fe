import type { GuardrailData, GuardrailModel } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas/printable"
import { configurationDigest } from "../configuration/configuration-digest.ts"
import { effectiveModel, withMain } from "../configuration/effective-data.ts"
import type { GuardrailContext } from "../guardrail.ts"
import { openGuardrail } from "../rails/open-guardrail.ts"
import type { OpenedGuard } from "./opened-guard.ts"

/** The keys of the models that this machine asks. */
export interface JudgeKeys {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The variable with the key of models that name none. */
  readonly variable: string
  /** Its value. Undefined if it is empty. */
  readonly key: string | undefined
  /** Whether the user chose `variable`. It then also applies to models that name a variable. */
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
 * Matches variables that a configuration must not read. Configurations can come from others, and one could send a token or
 * the keys of a server to its own address.
 */
const OWN_SECRETS = /^(ASSAY_|DATABASE_(NOTIFY_)?URL$)/

/**
 * Opens a configuration whose models this machine asks. Keys come from the environment: from the variable that the user chose,
 * else the one that the model names, else the default one.
 * @throws `bad_usage` if the configuration is not valid, or if a key is missing
 */
export async function openLocalGuard(options: LocalGuardOptions): Promise<OpenedGuard> {
  const { name, source, data, keys, context, onWarning } = options
  const secrets = new Map<string, string>()
  const models = withMain(data.models ?? []).map((model, index) => {
    const key = keyOfModel(effectiveModel(model), keys)
    if (key === undefined) return model
    secrets.set(`key-${index}`, key)
    return { ...model, api_key_secret: `key-${index}` }
  })
  const defaultUrl = keys.env[DEFAULT_URL_VARIABLE]
  const guardrail = await openGuardrail(
    { ...data, models },
    {
      ...context,
      ...(defaultUrl === undefined || defaultUrl === "" ? {} : { defaultUrl }),
      resolveSecret: async (reference) => {
        const key = secrets.get(reference)
        if (key !== undefined) return key
        const message = `A model names the secret '${reference}', and ${keys.variable} is not set: put its key into that variable.`
        throw new AssayError("bad_usage", message)
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

/** Returns the key of a model: in the variable that it names, else the default one. @throws `bad_usage` if a named one is missing */
export function keyOfModel(model: GuardrailModel, keys: JudgeKeys): string | undefined {
  return ownKeyOf(model, keys) ?? keys.key
}

/** Returns the key in the variable that a model names; undefined if it names none, or if another variable applies. */
function ownKeyOf(
  { type, url, api_key_env_var: variable }: GuardrailModel,
  { env, variable: defaultVariable, key: defaultKey, isChosen }: JudgeKeys,
): string | undefined {
  if (variable == null || isChosen) return undefined
  if (OWN_SECRETS.test(variable) && variable !== defaultVariable) {
    const message = `The model of type '${printable(type)}' takes its key from ${variable}, which is a setting of Assay and not a key of a model; name another variable.`
    throw new AssayError("bad_usage", message)
  }
  const key = env[variable]
  if (key !== undefined && key !== "") return key
  if (url === undefined || defaultKey !== undefined) return undefined
  const message = `The model of type '${printable(type)}' takes its key from ${variable}, which is not set: put the key into it, or into ${defaultVariable}.`
  throw new AssayError("bad_usage", message)
}

/** Further faults are shown after these are corrected. */
const SHOWN_FAULTS = 10

/** Replaces the location of faults in a request body by their location in the file. */
function withFileLocations(error: unknown, source: string): unknown {
  if (!isAssayError(error, "invalid_request") || !error.issues.every(({ loc }) => loc[1] === "data")) return error
  const faults = error.issues
    .slice(0, SHOWN_FAULTS)
    .map(({ loc, msg }) => `\n  ${printable(`${loc.slice(2).join(".")}: ${msg}`)}`)
  return new AssayError("bad_usage", `${source} is not valid:${faults.join("")}`, { cause: error })
}
