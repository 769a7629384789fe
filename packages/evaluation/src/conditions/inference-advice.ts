import { INFERENCE_ERRORS, type AssayError } from "@assay/schemas"

/** What is known of this failure of an endpoint that helps, as sentences; undefined where nothing is. */
export function inferenceAdvice({ code, context }: AssayError): string | undefined {
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
