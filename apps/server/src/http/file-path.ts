import { AssayError } from "@assay/schemas"
import { type FilePath, parseFilePath, parseNewFilePath } from "@assay/storage"
import type { FastifyRequest } from "fastify"

/** The origin in a request line with an absolute URL, as clients of a forward proxy send it. */
const ORIGIN = /^https?:\/\/[^/]*/i

/**
 * Returns the part of the URL that matches `*` in the route, still percent-encoded: the router's own value can't distinguish `%2F`
 * from `/`. Counts segments, because the names before it can contain any text. Empty if the route has no `*`.
 */
function rawRest({ routeOptions, url }: FastifyRequest): string {
  const { url: pattern = "" } = routeOptions
  if (!pattern.endsWith("/*")) return ""
  const depth = pattern.split("/").length - 1
  const [path = ""] = url.replace(ORIGIN, "").split("?")
  return path.split("/").slice(depth).join("/")
}

/** Returns the text that matches `*`, decoded once and otherwise unchanged. @throws `bad_path` */
export function pathTextOf(request: FastifyRequest): string {
  return decodePath(rawRest(request))
}

/** Parses the path of the file that a request reads or deletes. @throws `bad_path` */
export function filePathOf(request: FastifyRequest): FilePath {
  return parseFilePath(pathTextOf(request))
}

/** Parses the path of the file that a request writes. @throws `bad_path` */
export function newFilePathOf(request: FastifyRequest): FilePath {
  return parseNewFilePath(pathTextOf(request))
}

/** Decodes a percent-encoded path. @throws `bad_path` */
function decodePath(encoded: string): string {
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
