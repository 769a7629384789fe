import { ParquetFault } from "../parquet-fault.ts"

/** Converts scalar values of a variant to JSON. */
export interface VariantScalars {
  /** A number, a text, or bytes. */
  readonly plain: (value: unknown) => unknown
  readonly decimal: (unscaled: bigint, scale: number) => unknown
  /** `time` is in units of 10^-digits seconds since 1970. */
  readonly time: (time: bigint, digits: number) => unknown
  readonly date: (days: number) => unknown
  /** `time` is in microseconds since midnight. */
  readonly timeOfDay: (time: bigint) => unknown
}

const SHORT_TEXT = 1
const OBJECT = 2
const ARRAY = 3
const MAX_DEPTH = 500
/** Several fields can point to the same bytes, so the number of values is not bounded by the size. */
const MAX_VALUES = 200_000

/**
 * Converts a value of the variant binary encoding to JSON (Apache Parquet, VariantEncoding.md).
 * @param metadata the names of fields
 * @throws `ParquetFault` for bytes that are not a variant
 */
export function readVariant(metadata: Uint8Array, value: Uint8Array, scalars: VariantScalars): unknown {
  try {
    const names = namesOf(metadata)
    return readValue(createReader(value), 0, { names, scalars, values: 0, depth: 0 })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ParquetFault("a variant whose bytes are not valid", { cause: error })
  }
}

interface Reader {
  readonly view: DataView
  readonly bytes: Uint8Array
  /** Reads an unsigned little-endian number of 1 to 4 bytes. */
  readonly size: (at: number, width: number) => number
  /** Reads `length` bytes. @throws `RangeError` if there are fewer */
  readonly part: (at: number, length: number) => Uint8Array
}

function createReader(bytes: Uint8Array): Reader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    view,
    bytes,
    size(at, width) {
      let value = 0
      for (let index = width - 1; index >= 0; index--) value = value * 256 + view.getUint8(at + index)
      return value
    },
    part(at, length) {
      if (at + length > bytes.length) throw new RangeError("The bytes end before the value")
      return bytes.subarray(at, at + length)
    },
  }
}

function namesOf(metadata: Uint8Array): readonly string[] {
  const reader = createReader(metadata)
  const header = reader.size(0, 1)
  if ((header & 0x0f) !== 1) throw new ParquetFault(`a variant of version ${header & 0x0f}`)
  const width = (header >> 6) + 1
  const count = reader.size(1, width)
  if (count > MAX_VALUES) throw new ParquetFault(`a variant with more than ${MAX_VALUES} names`)
  const first = 1 + width
  const texts = first + (count + 1) * width
  return Array.from({ length: count }, (_, index) => {
    const start = reader.size(first + index * width, width)
    return decodeText(reader.part(texts + start, reader.size(first + (index + 1) * width, width) - start))
  })
}

interface Walk {
  readonly names: readonly string[]
  readonly scalars: VariantScalars
  /** Number of values so far. */
  values: number
  depth: number
}

function readValue(reader: Reader, at: number, walk: Walk): unknown {
  if (++walk.values > MAX_VALUES) throw new ParquetFault(`a variant with more than ${MAX_VALUES} values`)
  if (walk.depth > MAX_DEPTH) throw new ParquetFault(`a variant that is nested more than ${MAX_DEPTH} levels deep`)
  const first = reader.size(at, 1)
  const header = first >> 2
  const kind = first & 3
  if (kind === SHORT_TEXT) return decodeText(reader.part(at + 1, header))
  if (kind !== OBJECT && kind !== ARRAY) return readScalar(reader, { at: at + 1, type: header }, walk.scalars)
  walk.depth++
  const value =
    kind === OBJECT ? readObject(reader, { at: at + 1, header }, walk) : readArray(reader, { at: at + 1, header }, walk)
  walk.depth--
  return value
}

interface Container {
  readonly at: number
  readonly header: number
}

function readObject(reader: Reader, { at, header }: Container, walk: Walk): unknown {
  const width = (header & 3) + 1
  const idWidth = ((header >> 2) & 3) + 1
  const countWidth = (header >> 4) & 1 ? 4 : 1
  const count = reader.size(at, countWidth)
  const ids = at + countWidth
  const offsets = ids + count * idWidth
  const values = offsets + (count + 1) * width
  const entries: [string, unknown][] = []
  for (let index = 0; index < count; index++) {
    const name = walk.names[reader.size(ids + index * idWidth, idWidth)]
    if (name === undefined) throw new ParquetFault("a variant with a field that has no name")
    entries.push([name, readValue(reader, values + reader.size(offsets + index * width, width), walk)])
  }
  return Object.fromEntries(entries)
}

function readArray(reader: Reader, { at, header }: Container, walk: Walk): unknown {
  const width = (header & 3) + 1
  const countWidth = (header >> 2) & 1 ? 4 : 1
  const count = reader.size(at, countWidth)
  const offsets = at + countWidth
  const values = offsets + (count + 1) * width
  const items: unknown[] = []
  for (let index = 0; index < count; index++) {
    items.push(readValue(reader, values + reader.size(offsets + index * width, width), walk))
  }
  return items
}

/** The sizes of the unscaled values of decimals by their types. */
const DECIMALS: Readonly<Record<number, number>> = { 8: 4, 9: 8, 10: 16 }

function readScalar(
  { view, size, part }: Reader,
  { at, type }: { readonly at: number; readonly type: number },
  { plain, decimal, time, date, timeOfDay }: VariantScalars,
): unknown {
  switch (type) {
    case 0:
      return null
    case 1:
    case 2:
      return type === 1
    case 3:
      return view.getInt8(at)
    case 4:
      return view.getInt16(at, true)
    case 5:
      return view.getInt32(at, true)
    case 6:
      return plain(view.getBigInt64(at, true))
    case 7:
      return plain(view.getFloat64(at, true))
    case 8:
    case 9:
    case 10:
      return decimal(littleEndian(part(at + 1, DECIMALS[type] ?? 0)), size(at, 1))
    case 11:
      return date(view.getInt32(at, true))
    case 12:
    case 13:
      return time(view.getBigInt64(at, true), 6)
    case 14:
      return plain(view.getFloat32(at, true))
    case 15:
      return plain(part(at + 4, size(at, 4)))
    case 16:
      return decodeText(part(at + 4, size(at, 4)))
    case 17:
      return timeOfDay(view.getBigInt64(at, true))
    case 18:
    case 19:
      return time(view.getBigInt64(at, true), 9)
    case 20:
      return uuidOf(part(at, 16))
    default:
      throw new ParquetFault(`a variant of the type ${type}`)
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x${Buffer.from(bytes.toReversed()).toString("hex")}`))
}

function uuidOf(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new ParquetFault("text that is not UTF-8", { cause })
  }
}
