import { isIP } from "node:net"
import { parseHostRule } from "@assay/http/host-policy"
import { checkDefaultStorage } from "@assay/registry"
import { AssayError, neutralStorage, type ValidationIssue } from "@assay/schemas"
import { parseAllowedOrigins, parseTrustedProxies } from "@assay/http/server"
import { defaultEndpointRules } from "../outbound/inference-policy.ts"
import { compileCheck } from "@assay/schemas/validation"
import { ENVIRONMENT, readSettingSources, type SettingSource } from "./read-setting-sources.ts"
import { SERVER_ROLES, SettingsSchema, type SettingName, type Settings } from "./settings-schema.ts"

export interface LoadedSettings {
  readonly settings: Settings
  /** The source of each setting that is not a default. */
  readonly origins: ReadonlyMap<SettingName, string>
  /** Names that look like settings but are not settings of this version. */
  readonly unknown: readonly string[]
}

const properties = SettingsSchema.properties
const names = Object.keys(properties) as SettingName[]

/** Converts text to the type of the setting. Invalid text stays text, and the check reports it. */
function readText(name: SettingName, value: unknown): unknown {
  if (typeof value !== "string") return value
  const type = (properties[name] as { type?: string }).type
  const text = value.trim()
  if (type === "integer" || type === "number")
    return text !== "" && Number.isFinite(Number(text)) ? Number(text) : value
  if (type === "boolean")
    return /^(1|true|yes|on)$/i.test(text) ? true : /^(0|false|no|off)$/i.test(text) ? false : value
  if (type === "array")
    return text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "")
  if (type === "object") {
    try {
      return JSON.parse(text)
    } catch {
      return value
    }
  }
  return value
}

/** Also accepts vendors' names in storage configurations. */
function readSetting(name: SettingName, value: unknown): unknown {
  const read = readText(name, value)
  return name === "ASSAY_DEFAULT_STORAGE" ? neutralStorage(read) : read
}

function gather(sources: readonly SettingSource[]) {
  const given: Record<string, unknown> = {}
  const origins = new Map<SettingName, string>()
  for (const name of names) {
    // In a shell or a compose file, an empty variable means "not set".
    const source = sources.find(({ values }) => values[name] !== undefined && values[name] !== "")
    if (source === undefined) continue
    given[name] = readSetting(name, source.values[name])
    origins.set(name, source.name)
  }
  return { given, origins }
}

function isSecret(name: string): boolean {
  return (properties[name as SettingName] as { secret?: boolean }).secret === true
}

function describeFaults(issues: readonly ValidationIssue[], origins: ReadonlyMap<SettingName, string>): string[] {
  return issues.map(({ loc: [name = "", ...inner], msg, input }) => {
    const place = [name, ...inner].join(".")
    const shown = isSecret(String(name)) ? "" : ` '${typeof input === "string" ? input : JSON.stringify(input)}'`
    return `${place}${shown} (from ${origins.get(name as SettingName)}): ${msg.charAt(0).toLowerCase()}${msg.slice(1)}`
  })
}

/** Whether a server that listens on `host` can be reached only from this machine. */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host === "::1") return true
  return isIP(host) === 4 && host.startsWith("127.")
}

/** Adds the message of the error that `check` throws. */
function note(faults: string[], check: () => unknown, before = ""): void {
  try {
    check()
  } catch (error) {
    faults.push(`${before}${(error as Error).message}`)
  }
}

/** Returns errors about secrets in the environment that harnesses could read: the system shows it to all commands of the same user. */
function findExposedSecrets(settings: Settings, origins: ReadonlyMap<SettingName, string>): string[] {
  const { ASSAY_ENCRYPTION_KEYS: keys, ASSAY_ENCRYPTION_KEYS_FILE: file, DATABASE_URL: database } = settings
  const faults: string[] = []
  if (keys.length > 0 && file !== undefined) {
    faults.push("ASSAY_ENCRYPTION_KEYS and ASSAY_ENCRYPTION_KEYS_FILE are both set: remove one of them")
  }
  if (settings.ASSAY_HARNESS_ENVIRONMENT === undefined || settings.ASSAY_HARNESS_ISOLATION === "sandbox") return faults
  const trusted = "while ASSAY_HARNESS_ISOLATION is trusted: harnesses run as the same user and can read it there"
  if (keys.length > 0 && origins.get("ASSAY_ENCRYPTION_KEYS") === ENVIRONMENT) {
    faults.push(
      `ASSAY_ENCRYPTION_KEYS is in the environment ${trusted}. Put the keys in a file, one per line, and name it in ASSAY_ENCRYPTION_KEYS_FILE`,
    )
  }
  if (database !== undefined && hasPassword(database) && origins.get("DATABASE_URL") === ENVIRONMENT) {
    faults.push(`DATABASE_URL has a password and is in the environment ${trusted}. Put it in assay.config.json`)
  }
  return faults
}

function hasPassword(url: string): boolean {
  return URL.canParse(url) && new URL(url).password !== ""
}

function findConflicts(settings: Settings, origins: ReadonlyMap<SettingName, string>): string[] {
  const faults: string[] = [...findExposedSecrets(settings, origins)]
  if (settings.ASSAY_AUTH === "off" && !isLoopback(settings.HOST)) {
    faults.push(
      `HOST '${settings.HOST}' is reachable from other machines while ASSAY_AUTH is off: ` +
        "set ASSAY_AUTH=tokens and create a token with `assay token create`, or listen on 127.0.0.1",
    )
  }
  const storage = settings.ASSAY_DEFAULT_STORAGE
  if (storage !== undefined) {
    note(faults, () => checkDefaultStorage(storage), "ASSAY_DEFAULT_STORAGE: ")
  }
  for (const setting of ["ASSAY_ALLOWED_HOSTS", "ASSAY_ALLOWED_INFERENCE_HOSTS"] as const) {
    for (const host of settings[setting]) note(faults, () => parseHostRule(host, setting))
  }
  note(faults, () => defaultEndpointRules(settings))
  for (const origin of settings.ASSAY_ALLOWED_ORIGINS) note(faults, () => parseAllowedOrigins([origin]))
  note(faults, () => parseTrustedProxies(settings.ASSAY_TRUST_PROXY))
  const isLocal = storage === undefined || storage.type === "local"
  if (settings.DATABASE_URL !== undefined && isLocal && !settings.ASSAY_SHARED_LOCAL) {
    faults.push(
      "DATABASE_URL is set while the default storage is local: another server on the same database would not see the files. " +
        "Set ASSAY_SHARED_LOCAL=1 if this is the only server or the folder is on a shared mount",
    )
  }
  const alone = SERVER_ROLES.filter((role) => settings.ASSAY_ROLES.includes(role))
  if (settings.DATABASE_URL === undefined && alone.length === 1) {
    faults.push(
      `ASSAY_ROLES '${alone.join()}' without DATABASE_URL: a database in the data folder belongs to one server, ` +
        "which needs both roles; set DATABASE_URL to share a database, or remove ASSAY_ROLES",
    )
  }
  return faults
}

/**
 * Loads the settings from all sources and checks them together.
 * @throws `bad_settings` with one message that names every wrong setting
 */
export function loadSettings(options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string }): LoadedSettings {
  const sources = readSettingSources(options.env, options.cwd)
  const { given, origins } = gather(sources)
  const checked = compileCheck(SettingsSchema)(given)
  const faults = checked.valid ? findConflicts(checked.value, origins) : describeFaults(checked.issues, origins)
  if (!checked.valid || faults.length > 0) {
    throw new AssayError("bad_settings", `The settings are wrong:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`)
  }
  const known = new Set<string>([...names, "ASSAY_URL", "ASSAY_WORKSPACE", "ASSAY_TOKEN"])
  const unknown = sources.flatMap(({ values }) =>
    Object.keys(values).filter((key) => key.startsWith("ASSAY_") && !known.has(key)),
  )
  return { settings: checked.value, origins, unknown }
}
