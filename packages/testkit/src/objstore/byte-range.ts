import { ObjstoreError } from "./objstore-error.ts"

/** From `start` up to `end`, exclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Reads a Range header for an object of `size` bytes. Undefined, which means all of it, for several ranges and for what is
 * no range of bytes; `InvalidRange` for one that has no byte of the object.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? []
  if (header === undefined || (first === "" && last === "")) return undefined
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1)
  if (start < end) return { start, end }
  throw new ObjstoreError(416, "InvalidRange", "The requested range is not satisfiable", {
    details: { RangeRequested: header, ActualObjectSize: String(size) },
    headers: { "content-range": `bytes */${size}` },
  })
}
