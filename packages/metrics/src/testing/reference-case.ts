/** An input with the value that other programs compute for it, and the tolerance for ours. */
export interface ReferenceCase<Input, Expected> {
  readonly id: string
  readonly input: Input
  readonly expect: Expected
  readonly tolerance: number
}
