import { ggufFault, type GgufCursor } from "./gguf-cursor.ts"

/** A list. Only numbers of a short list are kept, because vocabularies have 150,000 entries. */
interface GgufList {
  readonly length: number
  readonly numbers: readonly number[] | null
}

/** Null means a text that is too long to keep. */
export type GgufValue = string | number | boolean | GgufList | null

const MAX_KEPT_TEXT_BYTES = 1024 * 1024
const MAX_KEPT_NUMBERS = 4096
const MAX_LIST_DEPTH = 4

const TEXT = 8
const LIST = 9
/** The types with a fixed size, by number. */
const SCALARS: Readonly<Record<number, readonly [bytes: number, read: (cursor: GgufCursor) => number | boolean]>> = {
  0: [1, (cursor) => cursor.u8()],
  1: [1, (cursor) => cursor.i8()],
  2: [2, (cursor) => cursor.u16()],
  3: [2, (cursor) => cursor.i16()],
  4: [4, (cursor) => cursor.u32()],
  5: [4, (cursor) => cursor.i32()],
  6: [4, (cursor) => cursor.f32()],
  7: [1, (cursor) => cursor.u8() !== 0],
  10: [8, (cursor) => cursor.u64()],
  11: [8, (cursor) => cursor.i64()],
  12: [8, (cursor) => cursor.f64()],
}

/**
 * Reads one value of a type.
 * @throws a fault
 */
export async function readGgufValue(cursor: GgufCursor, type: number, depth = 0): Promise<GgufValue> {
  if (type === TEXT) return readGgufText(cursor)
  if (type === LIST) return readList(cursor, depth)
  const scalar = SCALARS[type]
  if (scalar === undefined) throw ggufFault(`has a value of type ${type}, which is unknown`)
  await cursor.need(scalar[0])
  return scalar[1](cursor)
}

/** Reads a text. Returns null if it is too long to keep. */
export async function readGgufText(cursor: GgufCursor): Promise<string | null> {
  if (!cursor.has(8)) await cursor.need(8)
  const length = cursor.u64()
  if (length > MAX_KEPT_TEXT_BYTES) {
    cursor.skip(length)
    return null
  }
  if (!cursor.has(length)) await cursor.need(length)
  return cursor.text(length)
}

async function readList(cursor: GgufCursor, depth: number): Promise<GgufList> {
  if (depth === MAX_LIST_DEPTH) throw ggufFault(`has lists in lists, more than ${MAX_LIST_DEPTH} deep`)
  await cursor.need(12)
  const type = cursor.u32()
  const length = cursor.u64()
  const scalar = SCALARS[type]
  if (scalar === undefined) {
    for (let index = 0; index < length; index++) await skipEntry(cursor, type, depth)
    return { length, numbers: null }
  }
  if (length > MAX_KEPT_NUMBERS) {
    cursor.skip(length * scalar[0])
    return { length, numbers: null }
  }
  await cursor.need(length * scalar[0])
  return { length, numbers: Array.from({ length }, () => Number(scalar[1](cursor))) }
}

async function skipEntry(cursor: GgufCursor, type: number, depth: number): Promise<void> {
  if (type !== TEXT) {
    await readGgufValue(cursor, type, depth + 1)
    return
  }
  if (!cursor.has(8)) await cursor.need(8)
  cursor.skip(cursor.u64())
}
