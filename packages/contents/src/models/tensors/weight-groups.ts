import type { Weight } from "./weight.ts"

/** Weights whose names differ in numbers alone: one place in every layer, or in every expert of every layer. */
export interface WeightGroup {
  /** The name with `*` for each number. */
  readonly pattern: string
  readonly weights: readonly Weight[]
  readonly elements: number
  /** The layers that it is found in; empty outside of layers. */
  readonly layers: ReadonlySet<number>
}

const NUMBER = /(?<=^|\.)\d+(?=\.|$)/g
const IN_LAYER = /(?:^|\.)(?:layers|layer|h|blocks|block|blk)\.(\d+)\./

/** Layer that a weight belongs to; undefined outside of layers. */
export function layerOf(name: string): number | undefined {
  const number = IN_LAYER.exec(name)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Groups `weights`, in the order of the patterns. */
export function groupWeights(weights: readonly Weight[]): readonly WeightGroup[] {
  const groups = Map.groupBy(weights, ({ name }) => name.replaceAll(NUMBER, "*"))
  return [...groups]
    .map(([pattern, members]) => ({
      pattern,
      weights: members,
      elements: sumElements(members),
      layers: new Set(members.flatMap(({ name }) => layerOf(name) ?? [])),
    }))
    .toSorted((a, b) => (a.pattern < b.pattern ? -1 : 1))
}

export function sumElements(weights: readonly Weight[]): number {
  return weights.reduce((sum, { elements }) => sum + elements, 0)
}
