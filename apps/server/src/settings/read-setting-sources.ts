import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { AssayError } from "@assay/schemas"

/** What messages call the environment of the process. */
export const ENVIRONMENT = "the environment"

export interface SettingSource {
  /** Where the values come from, as a message names it. */
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
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new AssayError("bad_settings", `The settings file '${file}' must hold one JSON object of settings by name.`)
}

/** The places that settings come from, strongest first: the environment, `.env`, `assay.config.json`. */
export function readSettingSources(env: Readonly<NodeJS.ProcessEnv>, folder: string): readonly SettingSource[] {
  return [
    { name: ENVIRONMENT, values: env },
    { name: ".env", values: parseEnv(readOptional(join(folder, ".env")) ?? "") },
    { name: "assay.config.json", values: readConfigFile(join(folder, "assay.config.json")) },
  ]
}
