import { hash } from "node:crypto"
import type { GuardrailData, GuardrailModel } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { effectiveModel, openGuardrail, withMain } from "@assay/guardrails"
import type { Context } from "../../context.ts"
import { writeText } from "../../output/write-text.ts"
import { printable } from "@assay/schemas/printable"
import { inferenceContext } from "./inference-context.ts"
import type { EndpointOptions, OpenedGuard } from "./opened-guard.ts"
import { inferenceKey, KEY_VARIABLE } from "./inference-key.ts"

export interface LocalGuard {
  readonly name: string
  /** The value of `--config`. */
  readonly source: string
  readonly data: GuardrailData
  readonly options: EndpointOptions
}

/** The same name as the setting of the server. */
const DEFAULT_URL_VARIABLE = "ASSAY_DEFAULT_INFERENCE_URL"

/**
 * Matches variables that a configuration must not read. Configurations can come from others, and one could send a token or
 * the keys of a server to its own address.
 */
const OWN_SECRETS = /^(ASSAY_|DATABASE_URL$)/

/**
 * Opens a configuration whose models this machine asks. Keys come from the environment: from the variable that the option
 * names, else the one that the model names, else ASSAY_INFERENCE_API_KEY.
 */
export async function openLocalGuard(
  context: Context,
  { name, source, data, options }: LocalGuard,
): Promise<OpenedGuard> {
  const shared = inferenceKey(context, options)
  const keys = new Map<string, string>()
  const models = withMain(data.models ?? []).map((model, index) => {
    const key = keyOf(context, effectiveModel(model), options) ?? shared
    if (key === undefined) return model
    keys.set(`key-${index}`, key)
    return { ...model, api_key_secret: `key-${index}` }
  })
  const defaultUrl = context.env[DEFAULT_URL_VARIABLE]
  const guardrail = await openGuardrail(
    { ...data, models },
    {
      inference: inferenceContext(context),
      inferenceDefaults: { maxRateLimitWaitMs: (options.maxRateLimitWait ?? 0) * 1000 },
      now: context.now,
      newId: () => Buffer.from(context.randomBytes(12)).toString("hex"),
      ...(defaultUrl === undefined || defaultUrl === "" ? {} : { defaultUrl }),
      resolveSecret: async (reference) => {
        const key = keys.get(reference)
        if (key !== undefined) return key
        const message = `A model names the secret '${reference}', and ${options.apiKeyEnv ?? KEY_VARIABLE} is not set: put its key into that variable.`
        throw new AssayError("bad_usage", message)
      },
    },
  ).catch((error: unknown) => {
    throw withFileLocations(error, source)
  })
  for (const { loc, msg } of guardrail.warnings) {
    await writeText(context.stderr, `warning: ${printable(`${loc.slice(2).join(".")}: ${msg}`)}\n`)
  }
  return {
    name,
    digest: hash("sha256", JSON.stringify(data)),
    check: (prompt, ask) =>
      guardrail.checkPrompt(prompt, ask).catch((error: unknown) => {
        throw withFileLocations(error, source)
      }),
    close: () => guardrail.close(),
  }
}

/** Returns the key in the variable that a model names; undefined if it names none, or if another variable applies. */
function keyOf(
  context: Context,
  { type, url, api_key_env_var: variable }: GuardrailModel,
  options: EndpointOptions,
): string | undefined {
  if (variable == null || options.apiKeyEnv !== undefined) return undefined
  if (OWN_SECRETS.test(variable) && variable !== KEY_VARIABLE) {
    const message = `The model of type '${printable(type)}' takes its key from ${variable}, which is a setting of Assay and not a key of a model; name another variable.`
    throw new AssayError("bad_usage", message)
  }
  const key = context.env[variable]
  if (key !== undefined && key !== "") return key
  if (url === undefined || inferenceKey(context, options) !== undefined) return undefined
  const message = `The model of type '${printable(type)}' takes its key from ${variable}, which is not set: put the key into it, or into ${KEY_VARIABLE}.`
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
  return new AssayError("bad_usage", `--config '${printable(source)}' is not valid:${faults.join("")}`, {
    cause: error,
  })
}
