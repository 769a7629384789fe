import { readErrorText, type HttpHeaders, type HttpResponse } from "@assay/http"
import { elementText } from "./xml.ts"

/** The response of a store that refused a request. */
export interface Refusal {
  readonly status: number
  readonly headers: HttpHeaders
  /** `<Code>` of the document. Empty if there is none, as after HEAD or behind a proxy. */
  readonly code: string
  readonly message: string
  /** The region of the bucket, if the response names it. */
  readonly region: string
  readonly isDocument: boolean
}

/** Reads a refusal up to a limit and closes the response. */
export async function readRefusal(response: HttpResponse): Promise<Refusal> {
  const text = await readErrorText(response.body)
  response.body.destroy()
  return parseRefusal(response.status, response.headers, text)
}

export function parseRefusal(status: number, headers: HttpHeaders, text: string): Refusal {
  const code = wordOf(elementText(text, "Code"))
  return {
    status,
    headers,
    code,
    message: elementText(text, "Message") ?? "",
    region: wordOf(headers["x-amz-bucket-region"] ?? elementText(text, "Region")),
    isDocument: text === "" || code !== "",
  }
}

/** Returns the text if it is a plain word, because it is shown in messages. */
function wordOf(text: string | undefined): string {
  return text !== undefined && /^[\w.-]{1,64}$/.test(text) ? text : ""
}
