import type { Exchange } from "./exchange.ts"
import { errorAnswer, jsonAnswer, type HubAnswer } from "./hub-answer.ts"
import { treeEntries } from "./tree-entries.ts"

/** A page of a folder, with the address of the next one in `Link` (RFC 8288). */
export function listTree({ request, address, commit, settings, url }: Exchange): HubAnswer {
  const { path, query } = address
  const recursive = isTrue(query.get("recursive"))
  const entries = treeEntries(commit, path, recursive)
  if (entries === undefined) {
    const message = `${path} does not exist on "${address.revision}"`
    return errorAnswer(404, message, { code: "EntryNotFound", headers: { "x-repo-commit": commit.sha } })
  }
  const start = Number(Buffer.from(query.get("cursor") ?? "", "base64").toString())
  if (!Number.isInteger(start)) return errorAnswer(400, "Invalid cursor")
  const end = start + Math.min(settings.pageSize, Number(query.get("limit") ?? Infinity))
  const [rawPath = ""] = request.url.split("?")
  const next = new URLSearchParams(query)
  next.set("cursor", Buffer.from(String(end)).toString("base64"))
  const origin = settings.relativeLinks ? "" : new URL(url).origin
  const link = entries.length > end ? { link: `<${origin}${rawPath}?${next.toString()}>; rel="next"` } : {}
  return jsonAnswer(200, entries.slice(start, end), link)
}

/** Clients of Python write booleans in their own way. */
function isTrue(text: string | null): boolean {
  return text === "true" || text === "True" || text === "1"
}
