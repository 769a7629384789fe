import { AssayError, neutralStorage, type ValidationIssue } from "@assay/schemas"
import { readNumber } from "@assay/json"
import { compileCheck, type CheckedValue } from "@assay/validation"
import { Type } from "@sinclair/typebox"
import { findConflicts, type SettingOrigins } from "./check-settings.ts"
import { readSettingSources, type SettingSource } from "./read-setting-sources.ts"
import { isSecret, SETTING_NAMES, SettingsSchema, type SettingName, type Settings } from "./settings-schema.ts"

export interface LoadedSettings {
  readonly settings: Settings
  readonly origins: SettingOrigins
  /** Names that look like settings but are not settings of this version. */
  readonly unknown: readonly string[]
}

/** Converts text to the type of the setting. Invalid text stays text, and the check reports it. */
function readText(name: SettingName, value: unknown): unknown {
  if (typeof value !== "string") return value
  const { type, items } = SettingsSchema.properties[name] as { type?: string; items?: { type?: string } }
  const text = value.trim()
  if (type === "integer" || type === "number") return readNumber(text) ?? value
  if (type === "boolean")
    return /^(1|true|yes|on)$/i.test(text) ? true : /^(0|false|no|off)$/i.test(text) ? false : value
  if (type === "array" && items?.type !== "object")
    return text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "")
  if (type === "object" || type === "array") {
    try {
      return JSON.parse(text)
    } catch {
      return value
    }
  }
  return value
}

/** Reads a setting. Accepts vendors' names in storage configurations. */
function readSetting(name: SettingName, value: unknown): unknown {
  const read = readText(name, value)
  return name === "ASSAY_DEFAULT_STORAGE" ? neutralStorage(read) : read
}

function gather(sources: readonly SettingSource[]) {
  const given: Record<string, unknown> = {}
  const origins = new Map<SettingName, string>()
  for (const name of SETTING_NAMES) {
    // In a shell or a compose file, an empty variable means "not set".
    const source = sources.find(({ values }) => values[name] !== undefined && values[name] !== "")
    if (source === undefined) continue
    given[name] = readSetting(name, source.values[name])
    origins.set(name, source.name)
  }
  return { given, origins }
}

function describeFaults(issues: readonly ValidationIssue[], origins: SettingOrigins): string[] {
  return issues.map(({ loc: [name = "", ...inner], msg, input }) => {
    const path = [name, ...inner].join(".")
    const shown = isSecret(String(name)) ? "" : ` '${typeof input === "string" ? input : JSON.stringify(input)}'`
    return `${path}${shown} (from ${origins.get(name as SettingName)}): ${msg.charAt(0).toLowerCase()}${msg.slice(1)}`
  })
}

/**
 * Checks the values that are given, and adds the defaults of the others. Compiling the schema of all settings would take half of
 * the start of a server.
 */
function checkGiven(given: Readonly<Record<string, unknown>>): CheckedValue<Settings> {
  const { properties } = SettingsSchema
  const names = SETTING_NAMES.filter((name) => name in given)
  const schema = Type.Object(Object.fromEntries(names.map((name) => [name, properties[name]])))
  const checked = compileCheck(schema)(given)
  if (!checked.valid) return checked
  const defaults = SETTING_NAMES.flatMap((name) => {
    const value: unknown = properties[name].default
    return value === undefined ? [] : [[name, structuredClone(value)]]
  })
  return { valid: true, value: { ...Object.fromEntries(defaults), ...checked.value } as Settings }
}

/**
 * Loads the settings from all sources and checks them together.
 * @throws `bad_settings` with one message that names every wrong setting
 */
export function loadSettings(options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string }): LoadedSettings {
  const sources = readSettingSources(options.env, options.cwd)
  const { given, origins } = gather(sources)
  const checked = checkGiven(given)
  const faults = checked.valid ? findConflicts(checked.value, origins) : describeFaults(checked.issues, origins)
  if (!checked.valid || faults.length > 0) {
    throw new AssayError("bad_settings", `The settings are wrong:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`)
  }
  const known = new Set<string>([...SETTING_NAMES, "ASSAY_URL", "ASSAY_WORKSPACE", "ASSAY_TOKEN"])
  const unknown = sources.flatMap(({ values }) =>
    Object.keys(values).filter((key) => key.startsWith("ASSAY_") && !known.has(key)),
  )
  return { settings: checked.value, origins, unknown }
}

export interface DescribedSetting {
  readonly name: SettingName
  /** The current value; `******` for a secret that is set, null if absent. */
  readonly value: unknown
  /** `default`, or the source of the value. */
  readonly from: string
  readonly description: string
}

/** Returns every setting with its current value and its source. Secrets are masked. */
export function describeSettings({ settings, origins }: LoadedSettings): readonly DescribedSetting[] {
  return SETTING_NAMES.map((name) => {
    const { description = "" } = SettingsSchema.properties[name] as { description?: string }
    const value: unknown = settings[name]
    const shown = value === undefined ? null : isSecret(name) && origins.has(name) ? "******" : value
    return { name, value: shown, from: origins.get(name) ?? "default", description }
  })
}
