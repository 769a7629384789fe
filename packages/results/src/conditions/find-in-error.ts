import { causeChain } from "@assay/http"
import { type AssayError, type ConditionCode, CONDITIONS, INFERENCE_ERRORS, isAssayError } from "@assay/schemas"
import type { Finding } from "./condition-findings.ts"
import { findInText } from "./find-in-text.ts"
import { storageFinding } from "./storage-finding.ts"

const FULL = new Set(["ENOSPC", "EDQUOT"])
/** Codes of errors that wrap another one. The cause may be more exact. */
const WRAPPERS: ReadonlySet<string> = new Set(["datastore_unreachable", "launch_refused"])

/**
 * Finds the condition of an error: by its own code, by the response of a storage or the code of the system, by the code of a
 * cause, and last by its words. Returns undefined if it is not a known condition.
 */
export function findInError(error: unknown): Finding | undefined {
  const known = causeChain(error)
    .map(findInOne)
    .filter((found) => found !== undefined)
  const [outer] = known
  const found = known.find(({ code }) => !WRAPPERS.has(code)) ?? outer
  if (outer === undefined || found === undefined) return findInWords(error)
  // The error of the storage itself, which is a cause, has the most exact advice.
  const { advice, isAdviceAll, title } =
    known.find((one) => one.code === found.code && one.advice !== undefined) ?? found
  return {
    code: found.code,
    message: joined(outer.message, found.message),
    title,
    advice,
    isAdviceAll,
  }
}

function findInOne(error: Error): Finding | undefined {
  if (!isAssayError(error)) {
    const isFull = "code" in error && FULL.has(String(error.code))
    return isFull ? { code: "disk_full", message: error.message } : undefined
  }
  return storageFinding(error) ?? ownFinding(error)
}

function ownFinding(error: AssayError): Finding | undefined {
  if (!isConditionCode(error.code)) return undefined
  const { remedy, title } = error.context
  if (typeof remedy === "string") {
    const own = typeof title === "string" ? { title } : {}
    return { code: error.code, message: error.message, advice: remedy, isAdviceAll: true, ...own }
  }
  const advice = inferenceAdvice(error)
  if (advice === undefined) return { code: error.code, message: withModel(error) }
  // The advice of a failed call repeats the catalogue for this endpoint, so the catalogue's remedy is left out.
  return { code: error.code, message: withModel(error), advice, isAdviceAll: error.code !== "model_not_found" }
}

export function isConditionCode(code: string): code is ConditionCode {
  return Object.hasOwn(CONDITIONS, code)
}

/** Returns the message with the name of the model. The message already names the host. */
function withModel({ message, context }: AssayError): string {
  const { model } = context
  if (typeof model !== "string" || model === "" || message.includes(model)) return message
  return `${message.replace(/\.$/, "")} (model '${model}').`
}

/** Returns the outer message, followed by the message of the cause if it is not part of the outer one. */
function joined(outer: string, inner: string): string {
  return outer.includes(inner) ? outer : `${outer.replace(/\.?$/, ".")} ${inner}`
}

function findInWords(error: unknown): Finding | undefined {
  if (isAssayError(error)) return undefined
  return findInText(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
}

/** Finds the conditions of an error: at most one, and for a refused launch also one for each failed check. */
export function findingsInError(error: unknown): readonly Finding[] {
  const found = findInError(error)
  const own = found === undefined ? [] : [found]
  if (!isAssayError(error, "launch_refused")) return own
  const { failed_checks: checks } = error.context
  return [...own, ...(Array.isArray(checks) ? checks.flatMap(findingOfCheck) : [])]
}

function findingOfCheck(check: unknown): readonly Finding[] {
  const { code, message, remedy } = Object(check) as Readonly<Record<string, unknown>>
  if (typeof code !== "string" || !isConditionCode(code)) return []
  return [
    { code, message: String(message), ...(typeof remedy === "string" ? { advice: remedy, isAdviceAll: true } : {}) },
  ]
}

/** Returns the advice about a failed call of an endpoint, as sentences; undefined without any. */
function inferenceAdvice({ code, context }: AssayError): string | undefined {
  if (!(code in INFERENCE_ERRORS)) return undefined
  const { advice, retry_after_ms: wait } = context
  const sentences = [
    ...(typeof advice === "string" && advice !== "" ? [sentence(advice)] : []),
    ...(typeof wait === "number" ? [`The endpoint asks for a pause of ${Math.ceil(wait / 1000)} s.`] : []),
  ]
  return sentences.length === 0 ? undefined : sentences.join(" ")
}

function sentence(half: string): string {
  const begun = half.charAt(0).toUpperCase() + half.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
