import { AssayError } from "@assay/schemas"
import type { FastifyRequest } from "fastify"

/** What stands before the path where a request names the whole address, as clients of a forward proxy write it. */
const ORIGIN = /^https?:\/\/[^/]*/i

/**
 * What stands for `*` in the address of a request, still percent-encoded, since the router's own can't tell `%2F` from
 * `/`. Counted by segments: names before it may look like any of them. Empty where the route has no `*`.
 */
export function rawRest({ routeOptions, url }: FastifyRequest): string {
  const { url: pattern = "" } = routeOptions
  if (!pattern.endsWith("/*")) return ""
  const depth = pattern.split("/").length - 1
  const [path = ""] = url.replace(ORIGIN, "").split("?")
  return path.split("/").slice(depth).join("/")
}

/** The file path that stands for `*`, decoded once and otherwise untouched. @throws `bad_path` */
export function rawFilePath(request: FastifyRequest): string {
  return decodeFilePath(rawRest(request))
}

/** @throws `bad_path` */
export function decodeFilePath(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch (error) {
    throw new AssayError(
      "bad_path",
      `The path '${encoded}' is not percent-encoded UTF-8; write a literal '%' as %25.`,
      { cause: error },
    )
  }
}
