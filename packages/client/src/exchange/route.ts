import { AssayError } from "@assay/schemas/errors"

/** The values of a query string. Undefined values are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** Joins segments to a path below the address of the server, and percent-encodes each. */
export function route(...segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeSegment(segment)}`).join("")
}

/** Returns the route of a workspace's filesets, or of something below one of them. */
export function filesetRoute(workspace: string, ...below: readonly string[]): string {
  return `/apis/files/v2/workspaces${route(workspace, "filesets", ...below)}`
}

/** Returns the route of a file path. Its slashes are not encoded. */
export function filePathRoute(path: string): string {
  return route(...path.split("/"))
}

export function queryString(query: Query | undefined): string {
  const parts = Object.entries(query ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(key)}=${encodeURIComponent(value)}`],
  )
  return parts.length === 0 ? "" : `?${parts.join("&")}`
}

function encodeSegment(segment: string): string {
  // URL parsers resolve both segments in every spelling, so the request would reach another path.
  if (segment === "." || segment === "..") {
    throw new AssayError("bad_path", `'${segment}' can't be a segment of a path: name the file without it.`)
  }
  if (!segment.isWellFormed()) {
    throw new AssayError("bad_path", `${JSON.stringify(segment)} is not well-formed Unicode: rename it.`)
  }
  return encodeURIComponent(segment)
}
