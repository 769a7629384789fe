import { resolve } from "node:path"
import { createValueChecker } from "@assay/contents"
import {
  builtInConfigurations,
  effectiveData,
  type OpenedGuard,
  openLocalGuard,
  openServedGuard,
  readGuardrailFile,
  withEndpoint,
  withModels,
} from "@assay/guardrails"
import { type GuardrailData, type GuardrailModel, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { readLocalText } from "@assay/storage"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import { isLocal } from "../../is-folder-name.ts"
import { localSchemas } from "../../local-schemas.ts"
import { writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { guardrailFiles } from "./guardrail-files.ts"
import { keyVariables, withKeyHosts } from "./inference-key.ts"

/** The options of a command that say where a judge is. */
export interface EndpointOptions extends JsonOption {
  readonly url?: string
  readonly model: readonly string[]
  readonly family?: string
  readonly ca?: string
  readonly apiKeyEnv?: string
  readonly keyHost?: readonly string[]
  /** Maximum total wait of a question in seconds while the endpoint limits the rate. Without it, such attempts count as usual. */
  readonly maxRateLimitWait?: number
}

/** A change of a configuration after its models are known. */
export interface GuardEdit {
  readonly change: (data: GuardrailData) => GuardrailData
  /** Leaves out warnings that the unchanged configuration had too. */
  readonly isQuiet?: boolean
}

/** The guardrail that a command opens. */
export interface GuardChoice {
  /** A file, a built-in configuration, or the name of one on the server. Default: `content-safety`. */
  readonly config?: string | undefined
  /** One of the models that `--model` names. */
  readonly model?: string | undefined
  readonly edit?: GuardEdit
}

const DEFAULT_CONFIGURATION = "content-safety"

/**
 * Opens the configuration that the options name. This machine asks the models of a file or a built-in configuration; the
 * server asks those of a configuration that it stores.
 * @throws `bad_usage`, `bad_document`, `bad_settings`, `invalid_request`
 */
export async function openGuard(
  given: Context,
  { config: name = DEFAULT_CONFIGURATION, model, edit }: GuardChoice,
  options: EndpointOptions,
): Promise<OpenedGuard> {
  const context = withKeyHosts(given, options.keyHost)
  const { now, random, randomBytes, sleep, signal, stderr } = context
  const { url, apiKeyEnv, maxRateLimitWait = 0 } = options
  const maxRateLimitWaitMs = maxRateLimitWait * 1000
  const inference = { now: () => performance.now(), random, sleep }
  const builtIn = builtInConfigurations().find((one) => one.name === name)
  if (builtIn === undefined && !isConfigurationFile(context, name)) {
    if (url === undefined && model === undefined && edit === undefined) {
      const served = {
        written: name,
        workspace: defaultWorkspace(context),
        maxRateLimitWaitMs,
        clock: inference,
        signal,
      }
      return openServedGuard(openClient(context).guardrails, served)
    }
    const message = `--url, --model and candidates need a file or a built-in configuration. '${printable(name)}' is neither: the server asks the models that it names.`
    throw new AssayError("bad_usage", message)
  }
  const data = builtIn?.data ?? (await readGuardrailFile(guardrailFiles(context), name))
  const models = await modelsOf(context, model, options, effectiveData(data).models)
  if (builtIn !== undefined && models.length === 0) {
    const message = `The built-in configuration '${name}' has no model: name one with --url and --model.`
    throw new AssayError("bad_usage", message)
  }
  const asked = withModels(data, models)
  return openLocalGuard({
    name: model === undefined || models.length === 0 ? name : `${name} × ${model}`,
    source: `--config '${printable(name)}'`,
    data: edit?.change(asked) ?? asked,
    keys: { ...keyVariables(context, { chosen: apiKeyEnv, urls: [url] }), isChosen: apiKeyEnv !== undefined },
    context: {
      inference,
      inferenceDefaults: { maxRateLimitWaitMs },
      checkJson: (schema, text) => createValueChecker(schema, localSchemas(context)).check(text),
      now,
      newId: () => Buffer.from(randomBytes(12)).toString("hex"),
    },
    onWarning: async (warning) => {
      if (edit?.isQuiet !== true) await writeText(stderr, `warning: ${printable(warning)}\n`)
    },
  })
}

/** Returns whether `--config` names a file of this machine, by its extension or as `isLocal` decides. */
function isConfigurationFile(context: Context, name: string): boolean {
  return /\.(json|ya?ml)$/.test(name) || isLocal(context, name)
}

/** Returns the models of a configuration with the values of `--url`, `--model`, `--family` and `--ca`; none without the first two. */
async function modelsOf(
  { cwd }: Context,
  model: string | undefined,
  { url, family, ca: file }: EndpointOptions,
  models: readonly GuardrailModel[],
): Promise<readonly GuardrailModel[]> {
  if (url === undefined && model === undefined) return []
  const ca = file === undefined ? undefined : await readLocalText(resolve(cwd, file))
  return withEndpoint(models, { url, model, family, ca })
}
