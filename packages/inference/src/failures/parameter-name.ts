const PLACES: readonly RegExp[] = [
  /'loc': \('body', '(\w+)'/,
  /(?:parameter|argument|field|supplied)s?:? ?[`'"]?(\w+)[`'"]?/i,
  /[`'"](\w+)[`'"][^.]{0,40}not (?:supported|permitted)/i,
  /\b(response_format|json_schema|guided_\w+|logprobs|logit_bias|tools|tool_choice)\b/i,
]

/** The parameter that a server complains of, where it names one. */
export function parameterName(message: string): string | null {
  for (const place of PLACES) {
    const name = place.exec(message)?.[1]
    if (name !== undefined) return name
  }
  return null
}
