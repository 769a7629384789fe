import { invalidRequest } from "../errors/assay-error.ts"

/** What stands where a URL had a user name or a password. */
const HIDDEN_USER = "***"
/** Deeper values are no records of ours. */
const MAX_DEPTH = 64

/** Keys under which addresses stand, however their words are joined: `url`, `endpoint_url`, `baseUrl`, `OPENAI_BASE_URL`. */
const URL_KEY = /(^|_)(url|uri|endpoint|host|proxy|api_base)s?$/
/** Keys that hold what users judge or keep, where an address is data like any other. */
const DATA_KEYS = new Set(["rows", "messages", "custom_fields"])
/** Keys under which datasets stand, by name or by address. */
const PLACE_KEY = /^(dataset|(output_)?files_url)$/
/** Arguments of a program, in which an address can stand anywhere. */
const ARGUMENT_KEY = /(^|_)(args|arguments|command)$/

/**
 * Whether an address holds a user name or a password, as the parser of URLs finds them (`https:me:pw@host` has some too), or
 * would hold them if it could be read.
 */
export function hasUrlUser(text: string): boolean {
  const url = URL.parse(text)
  if (url !== null && (url.username !== "" || url.password !== "")) return true
  // What can't be read, or lacks its scheme: a host has no @.
  return url === null ? /\/\/.*@/s.test(text) || isBare(text) : isBare(text)
}

/** `me:pw@host` without a scheme; URLs take `me` for the scheme. */
function isBare(text: string): boolean {
  return /^[^/\\?#@\s]+:[^/\\?#@]*@[^/\\?#@]/.test(text) && !/^mailto:/i.test(text)
}

/** An address with its user name and password hidden, for messages and answers. What has none comes back as it is. */
export function maskUrlUser(text: string): string {
  if (!hasUrlUser(text)) return text
  // As the parser of URLs does: tabs and line ends are nowhere.
  const plain = text.replaceAll(/[\t\n\r]/g, "")
  const [, head = "", rest = plain] = /^(\s*(?:https?:[/\\]*|[a-z][\w+.-]*:[/\\]{2}|[/\\]{2}))(.*)$/is.exec(plain) ?? []
  // Of what can't be read, nobody knows where a password ends: at its last @.
  const end = URL.parse(plain) === null ? -1 : rest.search(/[/\\?#]/)
  const at = end < 0 ? rest.lastIndexOf("@") : rest.lastIndexOf("@", end)
  return `${head}${HIDDEN_USER}${rest.slice(at)}`
}

/**
 * Refuses a body in which an address holds a user name or a password: it would be stored, shown and sent along.
 * @throws `invalid_request` at the first such place, without the value
 */
export function checkNoUrlUsers(body: unknown, place: readonly (string | number)[]): void {
  const found = findUrlUser(body, [...place], place.at(-1))
  if (found === undefined) return
  const msg =
    "An address may not hold a user name or a password, since it is stored and shown; leave them out, and name a secret instead"
  throw invalidRequest(found, msg, "url_user")
}

/** `value` with the user names and passwords of its addresses hidden, as answers show it. What has none comes back as it is. */
export function maskUrlUsers<T>(value: T, key?: string | number): T {
  return mask(value, key, 0) as T
}

type Place = (string | number)[]

function findUrlUser(value: unknown, place: Place, key: string | number | undefined, depth = 0): Place | undefined {
  if (typeof value === "string") return isShownUser(value, key) ? place : undefined
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return undefined
  for (const [name, part] of Object.entries(value)) {
    // An entry of a list is what the list is.
    const below = Array.isArray(value) ? key : name
    if (DATA_KEYS.has(name)) continue
    const found = findUrlUser(part, [...place, Array.isArray(value) ? Number(name) : name], below, depth + 1)
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

/** What `isShownUser` found: an address, or arguments with one in them. */
function maskText(text: string): string {
  return hasUrlUser(text) ? maskUrlUser(text) : text.replaceAll(EMBEDDED, `$1${HIDDEN_USER}@`)
}

function isShownUser(text: string, key: string | number | undefined): boolean {
  if (!text.includes("@")) return false
  const name = String(key ?? "")
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase()
  if (ARGUMENT_KEY.test(name)) return text.search(EMBEDDED) >= 0
  // The name of a dataset may hold an @; with a scheme it is an address.
  if (PLACE_KEY.test(name)) return /^\s*[a-z][\w+.-]*:[/\\]{2}/i.test(text) && hasUrlUser(text)
  return URL_KEY.test(name) && hasUrlUser(text)
}
