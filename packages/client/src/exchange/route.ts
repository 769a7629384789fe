import { AssayError } from "@assay/schemas/errors"

/** Values of a query string; what is undefined is left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** A path below the server's address out of segments, each percent-encoded. */
export function route(...segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeSegment(segment)}`).join("")
}

/** The route of a workspace's filesets, or of what is below one of them. */
export function filesetRoute(workspace: string, ...below: readonly string[]): string {
  return `/apis/files/v2/workspaces${route(workspace, "filesets", ...below)}`
}

/** The route of a path inside a fileset: its slashes stay slashes. */
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
  // URL parsers resolve these two in every spelling, so a request with them would reach another place.
  if (segment === "." || segment === "..") {
    throw new AssayError("bad_path", `'${segment}' can't be a segment of a path: name the file without it.`)
  }
  if (!segment.isWellFormed()) {
    throw new AssayError("bad_path", `${JSON.stringify(segment)} is not well-formed Unicode: rename it.`)
  }
  return encodeURIComponent(segment)
}
