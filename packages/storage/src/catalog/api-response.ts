import { isObject } from "@assay/json"
import { cleanMessage } from "../remote/remote-error.ts"

/** A JSON response of the API. */
export interface ApiResponse {
  /** 200 only for success. An error in a response with HTTP status 200 has the status that it corresponds to. */
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  /** The message of the catalog, safe to show. Empty if there is none. */
  readonly words: string
}

/** The status that each word in `requestStatus.statusCode` corresponds to. Other words are failures of the service. */
const STATUSES: Readonly<Record<string, number>> = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  ACCESS_DENIED: 403,
  NOT_FOUND: 404,
  PRECONDITION_FAILED: 412,
  TOO_MANY_REQUESTS: 429,
}
const INVALID = /^INVALID_REQUEST/
/** The status of an error that came with HTTP 200 and corresponds to no other status. */
const FAILED = 500

/** Reads a response with `status`. A text that is not a JSON object has no message: it comes from another program. */
export function readApiResponse(status: number, text: string, secrets: readonly string[]): ApiResponse {
  const body = parseObject(text)
  if (body === undefined) {
    const words = status === 200 ? "it did not return JSON" : ""
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

/** Returns whether the response contains only the API's status of the request. */
export function isBareStatus({ body }: ApiResponse): boolean {
  return Object.keys(body).join() === "requestStatus" && typeof requestStatus(body)["statusCode"] === "string"
}

/**
 * Returns whether the asset's organization shows lists only to its members although it gives the files to others. "Org
 * contex missing" is the spelling of the service.
 */
export function isOrgContextMissing({ status, words }: ApiResponse): boolean {
  return status >= 400 && status <= 403 && /\borg contex/i.test(words)
}

/** Parses a JSON object. Returns undefined for any other text. */
function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
