import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { AssayError } from "@assay/schemas"
import { isObject } from "@assay/json"
import { isSecret, SETTING_NAMES } from "./settings-schema.ts"

/** The name of the process environment in messages. */
export const ENVIRONMENT = "the environment"

export interface SettingSource {
  /** The name of the source in messages. */
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
}

function readOptional(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw new AssayError("bad_settings", `The settings file '${file}' can't be read: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

function readConfigFile(file: string): Readonly<Record<string, unknown>> {
  const text = readOptional(file)
  if (text === undefined) return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AssayError("bad_settings", `The settings file '${file}' is not JSON: ${(error as Error).message}.`, {
      cause: error,
    })
  }
  if (isObject(value)) return value
  throw new AssayError("bad_settings", `The settings file '${file}' must contain one JSON object of settings by name.`)
}

/** Reads the sources of settings, strongest first: the environment, `.env`, `assay.config.json`. */
export function readSettingSources(env: Readonly<NodeJS.ProcessEnv>, folder: string): readonly SettingSource[] {
  return [
    { name: ENVIRONMENT, values: env },
    { name: ".env", values: parseEnv(readOptional(join(folder, ".env")) ?? "") },
    { name: "assay.config.json", values: readConfigFile(join(folder, "assay.config.json")) },
  ]
}

/**
 * Removes the secret settings from an environment after they were read, so that later child processes do not inherit them.
 * The system still shows the original environment of this process to its user. To prevent that, put secrets in a file.
 */
export function forgetSecrets(env: object): void {
  for (const name of SETTING_NAMES) if (isSecret(name)) Reflect.deleteProperty(env, name)
}
