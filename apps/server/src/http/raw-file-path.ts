import { AssayError } from "@assay/schemas"

const MARK = "/-/"

/**
 * The file path of a URL `…/-/{path}`, decoded once and otherwise untouched: what the router decoded can't tell `%2F`
 * from `/` inside a double encoding. @throws `bad_path`
 */
export function rawFilePath(url: string): string {
  const query = url.indexOf("?")
  const path = query < 0 ? url : url.slice(0, query)
  return decodeFilePath(path.slice(path.indexOf(MARK) + MARK.length))
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
