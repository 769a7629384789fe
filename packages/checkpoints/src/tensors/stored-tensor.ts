/** A tensor as stored in a weight file. */
export interface StoredTensor {
  readonly name: string
  /** The type name of the file format: `BF16`, `F8_E4M3`, `Q4_K`. */
  readonly type: string
  /** Outermost size first: a linear layer is `[out, in]`. */
  readonly shape: readonly number[]
  readonly bytes: number
}

export function elementsOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1)
}

/**
 * Type names in specifications, by those of safetensors. Other types, including all types of GGUF, are written in lower
 * case.
 */
const NAMES = new Map(
  Object.entries({
    BF16: "bfloat16",
    F16: "float16",
    F32: "float32",
    F64: "float64",
    F8_E4M3: "float8_e4m3",
    F8_E5M2: "float8_e5m2",
    F4: "float4",
    I8: "int8",
    I16: "int16",
    I32: "int32",
    I64: "int64",
    U8: "uint8",
  }),
)

/** Returns the name of a tensor type in specifications. */
export function precisionOf(type: string): string {
  return NAMES.get(type) ?? type.toLowerCase()
}
