import { ggufFault, type GgufCursor } from "./gguf-cursor.ts"

/** A tensor type: the number of elements in a block, and the bytes of the block. */
interface GgufType {
  readonly name: string
  readonly block: number
  readonly bytes: number
}

const type = (name: string, block: number, bytes: number): GgufType => ({ name, block, bytes })

/**
 * The tensor types by number. Bits per weight, including scales, are `8 * bytes / block`. Source: `ggml_type` and the
 * `block_…` structures of ggml.
 */
export const GGUF_TYPES: Readonly<Record<number, GgufType>> = {
  0: type("F32", 1, 4),
  1: type("F16", 1, 2),
  2: type("Q4_0", 32, 18),
  3: type("Q4_1", 32, 20),
  6: type("Q5_0", 32, 22),
  7: type("Q5_1", 32, 24),
  8: type("Q8_0", 32, 34),
  9: type("Q8_1", 32, 36),
  10: type("Q2_K", 256, 84),
  11: type("Q3_K", 256, 110),
  12: type("Q4_K", 256, 144),
  13: type("Q5_K", 256, 176),
  14: type("Q6_K", 256, 210),
  15: type("Q8_K", 256, 292),
  16: type("IQ2_XXS", 256, 66),
  17: type("IQ2_XS", 256, 74),
  18: type("IQ3_XXS", 256, 98),
  19: type("IQ1_S", 256, 50),
  20: type("IQ4_NL", 32, 18),
  21: type("IQ3_S", 256, 110),
  22: type("IQ2_S", 256, 82),
  23: type("IQ4_XS", 256, 136),
  24: type("I8", 1, 1),
  25: type("I16", 1, 2),
  26: type("I32", 1, 4),
  27: type("I64", 1, 8),
  28: type("F64", 1, 8),
  29: type("IQ1_M", 256, 56),
  30: type("BF16", 1, 2),
  34: type("TQ1_0", 256, 54),
  35: type("TQ2_0", 256, 66),
  39: type("MXFP4", 32, 17),
  40: type("NVFP4", 64, 36),
  41: type("Q1_0", 128, 18),
}

/** The names of type mixtures in `general.file_type`. Source: `llama_ftype` of llama.cpp. */
export const GGUF_FILE_TYPES: Readonly<Record<number, string>> = {
  0: "F32",
  1: "F16",
  2: "Q4_0",
  3: "Q4_1",
  7: "Q8_0",
  8: "Q5_0",
  9: "Q5_1",
  10: "Q2_K",
  11: "Q3_K_S",
  12: "Q3_K_M",
  13: "Q3_K_L",
  14: "Q4_K_S",
  15: "Q4_K_M",
  16: "Q5_K_S",
  17: "Q5_K_M",
  18: "Q6_K",
  19: "IQ2_XXS",
  20: "IQ2_XS",
  21: "Q2_K_S",
  22: "IQ3_XS",
  23: "IQ3_XXS",
  24: "IQ1_S",
  25: "IQ4_NL",
  26: "IQ3_S",
  27: "IQ3_M",
  28: "IQ2_S",
  29: "IQ2_M",
  30: "IQ4_XS",
  31: "IQ1_M",
  32: "BF16",
  36: "TQ1_0",
  37: "TQ2_0",
  38: "MXFP4_MOE",
  39: "NVFP4",
}

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
