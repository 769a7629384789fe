/** A parameter of the model as it computes with it, however its bytes are packed. */
export interface Weight {
  /** As it would be called unpacked: `….q_proj.weight`. */
  readonly name: string
  readonly elements: number
  /** Null where packing has lost it. */
  readonly shape: readonly number[] | null
  readonly precision: string
}
