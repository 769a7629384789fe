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
