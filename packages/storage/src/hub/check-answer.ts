import type { HttpHeaders, HttpResponse } from "@assay/http"
import { parseContentRange } from "../remote/content-range.ts"

/** What the hub tells of a file, on the answer that holds its bytes or on the one that sends elsewhere for them. */
export interface HubSaid {
  readonly commit: string
  /** SHA-256 of a file that lies beside git, git's SHA-1 of one that lies in it; absent where it tells neither. */
  readonly digest?: string
  readonly size?: number
}

/** What was told on the way: by the first answer that names its commit, which redirects of renamed repositories don't. */
export function hubSaid(answers: readonly { readonly headers: HttpHeaders }[]): HubSaid | undefined {
  const headers = answers.find(({ headers }) => headers["x-repo-commit"] !== undefined)?.headers
  if (headers === undefined) return undefined
  const digest = opaqueTag(headers["x-linked-etag"] ?? headers["etag"] ?? "")
  const size = headers["x-linked-size"] ?? ""
  return {
    commit: headers["x-repo-commit"] ?? "",
    ...(digest === "" ? {} : { digest }),
    ...(/^\d+$/.test(size) ? { size: Number(size) } : {}),
  }
}

/** Why the answer is not what the hub promised, as the beginning of a sentence; undefined where it is. */
export function checkAnswer(
  { status, headers }: Pick<HttpResponse, "status" | "headers">,
  said: HubSaid,
  commit: string,
): string | undefined {
  if (said.commit !== commit) return `it answered with commit '${said.commit}' in place of '${commit}'`
  const encoding = headers["content-encoding"] ?? "identity"
  if (encoding !== "identity") return `the bytes are packed (${encoding}), which was not asked for`
  const size = status === 200 ? Number(headers["content-length"]) : parseContentRange(headers["content-range"]).size
  if (said.size === undefined || size === said.size) return undefined
  return `its bytes are ${size ?? "an unknown number"} in place of the ${said.size} that are told`
}

/** An ETag without its quotes, and without the mark of a weak one: the bytes are asked for as they are stored. */
function opaqueTag(etag: string): string {
  return etag
    .trim()
    .replace(/^W\//, "")
    .replace(/^"(.*)"$/, "$1")
}
