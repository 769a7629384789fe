import { readErrorText, type HttpHeaders, type HttpResponse } from "@assay/http"
import { elementText } from "./xml.ts"

/** What a store said when it did not do what it was asked. */
export interface Refusal {
  readonly status: number
  readonly headers: HttpHeaders
  /** `<Code>` of the document; empty where there is none, as after HEAD or behind a proxy. */
  readonly code: string
  readonly message: string
  /** The region in which the bucket is, where it was told. */
  readonly region: string
  readonly isDocument: boolean
}

/** Reads what a store said, up to a limit, and ends the answer. */
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

/** Both are shown, so they have to be what they are said to be. */
function wordOf(text: string | undefined): string {
  return text !== undefined && /^[\w.-]{1,64}$/.test(text) ? text : ""
}
