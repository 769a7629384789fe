/** A tensor as a file of weights holds it. */
export interface StoredTensor {
  readonly name: string
  /** As the format calls it: `BF16`, `F8_E4M3`, `Q4_K`. */
  readonly type: string
  /** Outermost first: a linear layer is `[out, in]`. */
  readonly shape: readonly number[]
  readonly bytes: number
}

export function elementsOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1)
}

/** Names of types in specifications, by those of safetensors. Other types, all of GGUF's, are written in lower case. */
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

/** How a specification names the type of a tensor. */
export function precisionOf(type: string): string {
  return NAMES.get(type) ?? type.toLowerCase()
}
