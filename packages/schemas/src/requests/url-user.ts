import { invalidRequest } from "../errors/assay-error.ts"

/** The replacement for the user name and password of a URL. */
const HIDDEN_USER = "***"
/** No record of Assay is nested deeper. */
const MAX_DEPTH = 64

/** Keys that contain addresses, in any spelling: `url`, `endpoint_url`, `baseUrl`, `OPENAI_BASE_URL`. */
const URL_KEY = /(^|_)(url|uri|endpoint|host|proxy|api_base)s?$/
/** Keys that contain data of users, where an address is data like any other. */
const DATA_KEYS = new Set(["rows", "messages", "custom_fields"])
/** Keys that contain datasets, by name or by address. */
const LOCATION_KEY = /^(dataset|(output_)?files_url)$/
/** Keys that contain arguments of a program. Any part of an argument can be an address. */
const ARGUMENT_KEY = /(^|_)(args|arguments|command)$/

/** Keys that one of the former can match. */
const ANY_KEY = /(ur[li]|endpoint|host|proxy|base|dataset|args|arguments|command)s?$/i

/**
 * Returns whether an address contains a user name or a password. Follows the URL parser (which also finds them in
 * `https:me:pw@host`), and recognises them in addresses that can't be parsed.
 */
export function hasUrlUser(text: string): boolean {
  const url = URL.parse(text)
  if (url !== null && (url.username !== "" || url.password !== "")) return true
  // The address can't be parsed or has no scheme. A host contains no @.
  return url === null ? /\/\/.*@/s.test(text) || isBare(text) : isBare(text)
}

/** Returns whether a text is like `me:pw@host`. The URL parser takes `me` for the scheme. */
function isBare(text: string): boolean {
  return /^[^/\\?#@\s]+:[^/\\?#@]*@[^/\\?#@]/.test(text) && !/^mailto:/i.test(text)
}

/** Names of parameters whose value is a key, in `snake_case`: `key`, `subscriptionkey`, `access_token`, `sig`, and `code` of Azure Functions. */
const KEY_PARAMETER =
  /(^|_)((api|access|account|auth|function|shared|subscription)?(key|token)|secret|password|passwd|passphrase|pass|pwd|signature|sig|credentials?|authorization|auth|code|jwt)$/

/** A parameter of a query, with its name and its value. */
const PARAMETER = /([?&])([^=&#]+)=([^&#]*)/g

/** Returns whether the query of an address contains a key, such as `?key=…`. */
export function hasUrlKey(text: string): boolean {
  return [...text.matchAll(PARAMETER)].some(([, , name = "", value = ""]) => value !== "" && isKeyParameter(name))
}

function isKeyParameter(name: string): boolean {
  return KEY_PARAMETER.test(snakeCase(decoded(name)))
}

/** A server decodes the names of parameters, too. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll(/[-.]/g, "_")
    .toLowerCase()
}

function maskUrlKeys(text: string): string {
  return text.replaceAll(PARAMETER, (whole, mark: string, name: string) =>
    isKeyParameter(name) ? `${mark}${name}=${HIDDEN_USER}` : whole,
  )
}

/** Hides the user name and password of an address, for messages and responses. Returns an address without them unchanged. */
export function maskUrlUser(text: string): string {
  if (!hasUrlUser(text)) return text
  // The URL parser ignores tabs and line ends, too.
  const plain = text.replaceAll(/[\t\n\r]/g, "")
  const [, head = "", rest = plain] = /^(\s*(?:https?:[/\\]*|[a-z][\w+.-]*:[/\\]{2}|[/\\]{2}))(.*)$/is.exec(plain) ?? []
  // If the address can't be parsed, the password is assumed to end at the last @.
  const end = URL.parse(plain) === null ? -1 : rest.search(/[/\\?#]/)
  const at = end < 0 ? rest.lastIndexOf("@") : rest.lastIndexOf("@", end)
  return `${head}${HIDDEN_USER}${rest.slice(at)}`
}

/**
 * Checks that no address in a body contains a user name, a password or a key, which would be stored, shown and sent.
 * @throws `invalid_request` at the first such location, without the value
 */
export function checkNoUrlUsers(body: unknown, loc: readonly (string | number)[]): void {
  const found = findUrlUser(body, [...loc], loc.at(-1))
  if (found === undefined) return
  const msg =
    "An address may not contain a user name, a password or a key such as `?key=`, because it is stored and shown; leave it out, and name a secret instead (`api_key_secret`)"
  throw invalidRequest(found, msg, "url_user")
}

/** Hides the user names and passwords of all addresses in a value, for responses. Returns a value without any unchanged. */
export function maskUrlUsers<T>(value: T, key?: string | number): T {
  return showsUser(value, key, 0) ? (mask(value, key, 0) as T) : value
}

/** Returns whether `mask` changes a value. Most values have nothing to hide, and this copies none of them. */
function showsUser(value: unknown, key: string | number | undefined, depth: number): boolean {
  if (typeof value === "string") return isShownUser(value, key)
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return false
  if (Array.isArray(value)) return value.some((part) => showsUser(part, key, depth + 1))
  const parts = value as Readonly<Record<string, unknown>>
  return Object.keys(parts).some((name) => !DATA_KEYS.has(name) && showsUser(parts[name], name, depth + 1))
}

type Loc = (string | number)[]

function findUrlUser(value: unknown, loc: Loc, key: string | number | undefined, depth = 0): Loc | undefined {
  if (typeof value === "string") return isShownUser(value, key) ? loc : undefined
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return undefined
  for (const [name, part] of Object.entries(value)) {
    // An entry of a list counts as under the key of the list.
    const below = Array.isArray(value) ? key : name
    if (DATA_KEYS.has(name)) continue
    const found = findUrlUser(part, [...loc, Array.isArray(value) ? Number(name) : name], below, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function mask(value: unknown, key: string | number | undefined, depth: number): unknown {
  if (typeof value === "string") return isShownUser(value, key) ? maskText(value) : value
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) {
    const parts = value.map((part) => mask(part, key, depth + 1))
    return parts.some((part, index) => part !== value[index]) ? parts : value
  }
  const entries = Object.entries(value)
  const masked = entries.map(
    ([name, part]) => [name, DATA_KEYS.has(name) ? part : mask(part, name, depth + 1)] as const,
  )
  return masked.some(([, part], index) => part !== entries[index]?.[1]) ? Object.fromEntries(masked) : value
}

const EMBEDDED = /([a-z]:[/\\]{2})[^\s/\\?#]*@/gi

/** Masks a text that `isShownUser` accepted: an address, or an argument that contains one. */
function maskText(text: string): string {
  const masked = hasUrlUser(text) ? maskUrlUser(text) : text.replaceAll(EMBEDDED, `$1${HIDDEN_USER}@`)
  return maskUrlKeys(masked)
}

/** Returns whether the text under a key contains a user name, a password or a key that has to be hidden. */
function isShownUser(text: string, key: string | number | undefined): boolean {
  if (!text.includes("@") && !text.includes("?")) return false
  const given = String(key ?? "")
  // Prompts have question marks, too, and most keys have none of these names in any spelling.
  if (!ANY_KEY.test(given)) return false
  const name = snakeCase(given)
  if (ARGUMENT_KEY.test(name)) return text.search(EMBEDDED) >= 0
  // The name of a dataset may contain an @. It is an address only with a scheme.
  if (LOCATION_KEY.test(name)) return /^\s*[a-z][\w+.-]*:[/\\]{2}/i.test(text) && hasUrlUser(text)
  return URL_KEY.test(name) && (hasUrlUser(text) || hasUrlKey(text))
}
