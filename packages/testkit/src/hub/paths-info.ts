import type { Exchange } from "./exchange.ts"
import { errorAnswer, jsonAnswer, type HubAnswer } from "./hub-answer.ts"
import { entryAt } from "./tree-entries.ts"

/** What is at each of the paths that the body names, in JSON or as a form; what is not there is left out. */
export function pathsInfo({ request, commit }: Exchange): HubAnswer {
  const paths = requestedPaths(request.headers["content-type"] ?? "", request.body.toString())
  if (paths === undefined) return errorAnswer(400, '"paths" is required')
  return jsonAnswer(
    200,
    paths.map((path) => entryAt(commit, path)).filter((entry) => entry !== undefined),
  )
}

function requestedPaths(type: string, body: string): readonly string[] | undefined {
  if (type.startsWith("application/x-www-form-urlencoded")) return new URLSearchParams(body).getAll("paths")
  if (!type.startsWith("application/json")) return undefined
  try {
    const { paths } = JSON.parse(body) as { readonly paths?: unknown }
    return Array.isArray(paths) && paths.every((path) => typeof path === "string") ? paths : undefined
  } catch {
    return undefined
  }
}
