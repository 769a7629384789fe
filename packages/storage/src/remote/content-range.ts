/** `Content-Range` of an answer (RFC 9110 §14.4): the part that it holds, or of a 416 only the size. */
export interface ContentRange {
  readonly start?: number
  readonly end?: number
  /** Absent where the server does not tell. */
  readonly size?: number
}

export function parseContentRange(header: string | undefined): ContentRange {
  const match = /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\/(\d+|\*)\s*$/i.exec(header ?? "")
  if (match === null) return {}
  const [, start, end, size] = match
  return {
    ...(start === undefined || end === undefined ? {} : { start: Number(start), end: Number(end) }),
    ...(size === "*" || size === undefined ? {} : { size: Number(size) }),
  }
}
