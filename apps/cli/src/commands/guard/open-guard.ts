import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import type { GuardrailModel } from "@assay/schemas"
import { builtInConfigurations, effectiveData, withModels } from "@assay/guardrails"
import type { Context } from "../../context.ts"
import { isFolderName } from "../../is-folder-name.ts"
import { printable } from "@assay/schemas/printable"
import { localFailure } from "@assay/storage/paths"
import { openLocalGuard } from "./open-local-guard.ts"
import { openServedGuard } from "./open-served-guard.ts"
import type { EndpointOptions, OpenedGuard } from "./opened-guard.ts"
import { readGuardrailFile } from "./read-guardrail-file.ts"

const DEFAULT_CONFIGURATION = "content-safety"

/**
 * Opens the configuration that the options name. This machine asks the models of a file or a built-in configuration; the
 * server asks those of a configuration that it stores.
 * @param model one of the models that `--model` names
 * @throws `bad_usage`, `invalid_request`
 */
export async function openGuard(
  context: Context,
  config: string | undefined,
  model: string | undefined,
  options: EndpointOptions,
): Promise<OpenedGuard> {
  const name = config ?? DEFAULT_CONFIGURATION
  const builtIn = builtInConfigurations().find((one) => one.name === name)
  if (builtIn === undefined && !isConfigurationFile(name)) {
    if (options.url === undefined && model === undefined) return openServedGuard(context, name, options)
    const message = `--url and --model need a file or a built-in configuration. '${printable(name)}' is neither: the server asks the models that it names.`
    throw new AssayError("bad_usage", message)
  }
  const data = builtIn?.data ?? (await readGuardrailFile(context, name))
  const models = await modelsOf(context, model, options, effectiveData(data).models)
  if (builtIn !== undefined && models.length === 0) {
    const message = `The built-in configuration '${name}' has no model: name one with --url and --model.`
    throw new AssayError("bad_usage", message)
  }
  const called = model === undefined || models.length === 0 ? name : `${name} × ${model}`
  return openLocalGuard(context, { name: called, source: name, data: withModels(data, models), options })
}

/** Whether `--config` names a file of this machine, by its extension or its beginning. */
function isConfigurationFile(name: string): boolean {
  return /\.(json|ya?ml)$/.test(name) || isFolderName(name)
}

/** Returns the models of a configuration with the values of `--url`, `--model`, `--family` and `--ca`; none without the first two. */
async function modelsOf(
  { cwd }: Context,
  model: string | undefined,
  { url, family, ca }: EndpointOptions,
  models: readonly GuardrailModel[],
): Promise<readonly GuardrailModel[]> {
  if (url === undefined && model === undefined) return []
  const pem = ca === undefined ? undefined : await readText(resolve(cwd, ca))
  return models.map(({ api_key_env_var: variable, ...one }) => ({
    ...one,
    // The key in this variable belongs to the address in the configuration, and not to that of --url.
    ...(url === undefined ? keptVariable(variable) : { url }),
    ...(model === undefined ? {} : { model }),
    ...(family === undefined ? {} : { family }),
    ...(pem === undefined ? {} : { ca: pem }),
  }))
}

function keptVariable(variable: GuardrailModel["api_key_env_var"]): Pick<GuardrailModel, "api_key_env_var"> {
  return variable == null ? {} : { api_key_env_var: variable }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8")
  } catch (error) {
    throw localFailure(error, "read", file)
  }
}
