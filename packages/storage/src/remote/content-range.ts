/** The `Content-Range` of a response (RFC 9110 §14.4): the part that it contains, or only the size for a 416. */
export interface ContentRange {
  readonly start?: number
  readonly end?: number
  /** Absent if the server does not send it. */
  readonly size?: number
}

/** Parses a `Content-Range`. Returns an empty object if the header is missing or invalid. */
export function parseContentRange(header: string | undefined): ContentRange {
  const match = /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\/(\d+|\*)\s*$/i.exec(header ?? "")
  if (match === null) return {}
  const [, start, end, size] = match
  return {
    ...(start === undefined || end === undefined ? {} : { start: Number(start), end: Number(end) }),
    ...(size === "*" || size === undefined ? {} : { size: Number(size) }),
  }
}
