import { isIP } from "node:net"
import { parseHostRule, parseAllowedOrigins, parseTrustedProxies } from "@assay/http/node"
import { checkDefaultStorage } from "@assay/filesets"
import { createInferencePolicy, defaultEndpointRules } from "../outbound/inference-policy.ts"
import { findOidcFaults } from "./check-oidc-settings.ts"
import { ENVIRONMENT } from "./read-setting-sources.ts"
import { SERVER_ROLES, type SettingName, type Settings } from "./settings-schema.ts"

/** The source of each setting that is not a default. */
export type SettingOrigins = ReadonlyMap<SettingName, string>

/** Returns whether a server that listens on `host` can be reached only from this machine. */
function isLoopback(host: string): boolean {
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
function findExposedSecrets(settings: Settings, origins: SettingOrigins): string[] {
  const { ASSAY_ENCRYPTION_KEYS: keys, ASSAY_ENCRYPTION_KEYS_FILE: file } = settings
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
  for (const name of ["DATABASE_URL", "DATABASE_NOTIFY_URL"] as const) {
    const { [name]: url } = settings
    if (url !== undefined && hasPassword(url) && origins.get(name) === ENVIRONMENT) {
      faults.push(`${name} has a password and is in the environment ${trusted}. Put it in assay.config.json`)
    }
  }
  return faults
}

function hasPassword(url: string): boolean {
  return URL.canParse(url) && new URL(url).password !== ""
}

/** Returns errors about the webhook. Its address can contain a token, so messages do not repeat it. */
function findWebhookFaults(settings: Settings): string[] {
  const { ASSAY_WEBHOOK_URL: url, ASSAY_WEBHOOK_SECRET: secrets, ASSAY_WEBHOOK_TEMPLATE: template } = settings
  if (url === undefined) return []
  const faults: string[] = []
  const { protocol = "", username = "", password = "" } = URL.parse(url) ?? {}
  if (!/^https?:$/.test(protocol) || username !== "" || password !== "") {
    faults.push("ASSAY_WEBHOOK_URL is not an address such as https://host/path, without user name and password")
  } else note(faults, () => createInferencePolicy(settings).checkEndpoint(url), "ASSAY_WEBHOOK_URL: ")
  if (secrets.length === 0 && template !== "slack") {
    faults.push(
      "ASSAY_WEBHOOK_URL is set without ASSAY_WEBHOOK_SECRET: a receiver could not know who sends; " +
        'set it to "whsec_" and the output of `openssl rand -base64 32`',
    )
  }
  return faults
}

/** Returns errors about values that are right by themselves and wrong together, or that need a parser of their own. */
export function findConflicts(settings: Settings, origins: SettingOrigins): string[] {
  const faults: string[] = [
    ...findExposedSecrets(settings, origins),
    ...findWebhookFaults(settings),
    ...findOidcFaults(settings),
  ]
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
  for (const origin of settings.ASSAY_ALLOWED_ORIGINS)
    note(faults, () => parseAllowedOrigins([origin], "ASSAY_ALLOWED_ORIGINS"))
  note(faults, () => parseTrustedProxies(settings.ASSAY_TRUST_PROXY, "ASSAY_TRUST_PROXY"))
  const isLocal = storage === undefined || storage.type === "local"
  if (settings.DATABASE_URL !== undefined && isLocal && !settings.ASSAY_SHARED_LOCAL) {
    faults.push(
      "DATABASE_URL is set while the default storage is local: another server on the same database would not see the files. " +
        "Set ASSAY_SHARED_LOCAL=1 if this is the only server or the folder is on a shared mount",
    )
  }
  if (settings.DATABASE_URL === undefined && settings.DATABASE_NOTIFY_URL !== undefined) {
    faults.push(
      "DATABASE_NOTIFY_URL is set without DATABASE_URL: it is a second address of the same shared database; " +
        "set DATABASE_URL too, or remove it",
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
