import { causeChain } from "@assay/http"
import { CONDITIONS, isAssayError, type AssayError, type ConditionCode } from "@assay/schemas"
import type { Finding } from "./finding.ts"
import { findInText } from "./find-in-text.ts"
import { inferenceAdvice } from "./inference-advice.ts"
import { storageFinding } from "./storage-finding.ts"

const FULL = new Set(["ENOSPC", "EDQUOT"])
/** That something failed on the way to a dataset; its cause may say more. */
const WRAPPERS: ReadonlySet<string> = new Set(["datastore_unreachable", "launch_refused"])

/**
 * The condition that an error is: by its own code, by what a storage or the system said, by the code of a cause, and by its
 * words last. Undefined where it is none.
 */
export function findInError(error: unknown): Finding | undefined {
  const known = causeChain(error)
    .map(findInOne)
    .filter((found) => found !== undefined)
  const [outer] = known
  const found = known.find(({ code }) => !WRAPPERS.has(code)) ?? outer
  if (outer === undefined || found === undefined) return findInWords(error)
  // A storage's own error, below the one that was made of it, knows most of what helps.
  const { advice, isAdviceAll, title } =
    known.find((one) => one.code === found.code && one.advice !== undefined) ?? found
  return {
    code: found.code,
    message: joined(outer.message, found.message),
    ...(title === undefined ? {} : { title }),
    ...(advice === undefined ? {} : { advice }),
    ...(isAdviceAll === undefined ? {} : { isAdviceAll }),
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
  const { remedy } = error.context
  if (typeof remedy === "string") return { code: error.code, message: error.message, advice: remedy, isAdviceAll: true }
  const advice = inferenceAdvice(error)
  if (advice === undefined) return { code: error.code, message: withModel(error) }
  // What an endpoint's failure advises says the same as the catalogue, and says it of this endpoint.
  return { code: error.code, message: withModel(error), advice, isAdviceAll: error.code !== "model_not_found" }
}

export function isConditionCode(code: string): code is ConditionCode {
  return Object.hasOwn(CONDITIONS, code)
}

/** The message names the host; which model was asked there is told as well. */
function withModel({ message, context }: AssayError): string {
  const { model } = context
  if (typeof model !== "string" || model === "" || message.includes(model)) return message
  return `${message.replace(/\.$/, "")} (model '${model}').`
}

/** A cause is told where the outer message does not tell it already. */
function joined(outer: string, inner: string): string {
  return outer.includes(inner) ? outer : `${outer.replace(/\.?$/, ".")} ${inner}`
}

function findInWords(error: unknown): Finding | undefined {
  if (isAssayError(error)) return undefined
  return findInText(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
}
