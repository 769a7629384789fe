import { cleanMessage } from "../remote/clean-message.ts"

/** A JSON answer of the API. */
export interface CatalogAnswer {
  /** 200 for success alone: an error that comes with HTTP 200 has the status that it amounts to. */
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  /** What the catalog says of it, fit to be shown; empty where it says nothing. */
  readonly words: string
}

/** What the words in `requestStatus.statusCode` amount to; the others are failures of the service. */
const STATUSES: Readonly<Record<string, number>> = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  ACCESS_DENIED: 403,
  NOT_FOUND: 404,
  PRECONDITION_FAILED: 412,
  TOO_MANY_REQUESTS: 429,
}
const INVALID = /^INVALID_REQUEST/
/** A success that is none, and fits no other status. */
const FAILED = 500

/** Reads what came with `status`. What is no JSON object has no words: it is a page of somebody else. */
export function readAnswer(status: number, text: string, secrets: readonly string[]): CatalogAnswer {
  const body = parseObject(text)
  if (body === undefined) {
    const words = status === 200 ? "it answered with something else than JSON" : ""
    return { status: status === 200 ? FAILED : status, body: {}, words }
  }
  const { statusCode: code, statusDescription: description } = requestStatus(body)
  const failed = typeof code === "string" && code !== "SUCCESS" ? code : undefined
  const said = typeof description === "string" ? description : ""
  const words = cleanMessage(failed === undefined ? said : `${failed} ${said}`, secrets)
  if (status !== 200 || failed === undefined) return { status, body, words }
  return { status: STATUSES[failed] ?? (INVALID.test(failed) ? 400 : FAILED), body, words }
}

function requestStatus(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { requestStatus: found } = body
  return isObject(found) ? found : {}
}

/** Whether the answer is one of the API about the request, and holds nothing else. */
export function isBareStatus({ body }: CatalogAnswer): boolean {
  return Object.keys(body).join() === "requestStatus" && typeof requestStatus(body)["statusCode"] === "string"
}

/**
 * Whether the asset's organization shows lists to its own members alone, although it gives the files to others. "Org
 * contex missing" is how the service spells it.
 */
export function isOrgContextMissing({ status, words }: CatalogAnswer): boolean {
  return status >= 400 && status <= 403 && /\borg contex/i.test(words)
}

/** The JSON object that `text` is; undefined for everything else. */
function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
