import { isJsonObject } from "@assay/json"
import { elementsOf, type StoredTensor } from "../tensors/stored-tensor.ts"

/** The tensors of a header, or its fault as the end of a sentence about its file. */
export type HeaderResult =
  | { readonly tensors: readonly StoredTensor[]; readonly fault: null }
  | { readonly tensors: null; readonly fault: string }

interface Span {
  readonly name: string
  readonly start: number
  readonly end: number
}

/**
 * Parses the JSON of a safetensors header and checks it against the `dataBytes` that follow: each tensor has exactly
 * the bytes of its shape, tensors do not overlap, and no byte is left over. Source: the format's specification,
 * https://huggingface.co/docs/safetensors.
 */
export function parseSafetensorsHeader(json: string, dataBytes: number): HeaderResult {
  const failed = (fault: string): HeaderResult => ({ tensors: null, fault })
  let header: unknown
  try {
    header = JSON.parse(json)
  } catch {
    return failed("has a header that is not JSON")
  }
  if (!isJsonObject(header)) return failed("has a header that is not a JSON object")
  const tensors: StoredTensor[] = []
  const spans: Span[] = []
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") continue
    const read = readEntry(name, entry)
    if (typeof read === "string") return failed(`has a tensor '${name}' ${read}`)
    tensors.push(read.tensor)
    spans.push(read.span)
  }
  const fault = layoutFault(spans, dataBytes)
  return fault === undefined ? { tensors, fault: null } : failed(fault)
}

function readEntry(name: string, entry: unknown): { tensor: StoredTensor; span: Span } | string {
  if (!isJsonObject(entry)) return "that is not described by an object"
  const { dtype: type, shape, data_offsets: offsets } = entry
  if (typeof type !== "string") return "without a dtype"
  if (!isSizes(shape)) return "whose shape is not a list of sizes"
  if (!isSizes(offsets) || offsets.length !== 2) return "whose data_offsets are not two positions"
  const [start = 0, end = 0] = offsets
  const bytes = end - start
  if (bytes < 0) return "that ends before it begins"
  const bits = SAFETENSORS_BITS.get(type)
  const needed = bits === undefined ? bytes : Math.ceil((elementsOf(shape) * bits) / 8)
  if (needed !== bytes) return `of ${type} [${shape.join(", ")}] that takes ${bytes} bytes instead of ${needed}`
  return { tensor: { name, type, shape, bytes }, span: { name, start, end } }
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => Number.isSafeInteger(one) && one >= 0)
}

function layoutFault(spans: readonly Span[], dataBytes: number): string | undefined {
  let at = 0
  let before = "the header"
  for (const { name, start, end } of spans.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at) return `has tensors that overlap: '${name}' begins within '${before}'`
    if (start > at) return `has ${start - at} bytes before '${name}' that belong to no tensor`
    at = end
    before = name
  }
  if (at > dataBytes) return `is cut short: its tensors take ${at} bytes, ${dataBytes} are there`
  if (at < dataBytes) return `goes on for ${dataBytes - at} bytes after its last tensor`
  return undefined
}

/** Bits per element, by the type names of the format's own implementation. */
const SAFETENSORS_BITS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    BOOL: 8,
    F4: 4,
    F6_E2M3: 6,
    F6_E3M2: 6,
    U8: 8,
    I8: 8,
    F8_E5M2: 8,
    F8_E4M3: 8,
    F8_E8M0: 8,
    F8_E4M3FNUZ: 8,
    F8_E5M2FNUZ: 8,
    I16: 16,
    U16: 16,
    F16: 16,
    BF16: 16,
    I32: 32,
    U32: 32,
    F32: 32,
    C64: 64,
    F64: 64,
    I64: 64,
    U64: 64,
  }),
)
