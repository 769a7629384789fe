import { expect, it } from "vitest"
import { createRandom } from "../create-random.ts"
import { finishSteps } from "../steps.ts"
import { sumClusters } from "./sum-clusters.ts"
import { createUnitSums } from "./unit-sums.ts"

it("sumClusters adds each cluster to its slices and to the rest of every slice, in the order of the clusters", () => {
  const random = createRandom(4)
  const indexes = Array.from({ length: 2000 }, (_, at) => at)
  const values = indexes.map(() => random() / 3)
  const slices = indexes.map(() => Math.floor(random() * 6))
  const clusters = indexes.map((at) => (at < 300 ? at : Math.floor(random() * 300)))
  const create = () => Array.from({ length: 7 }, () => createUnitSums(0.1))
  const [own, rests] = [create(), create()]
  finishSteps(sumClusters({ values, slices, clusters }, { own, rests }))
  for (const slice of Array.from({ length: 7 }, (_, at) => at)) {
    for (const [found, isIn] of [
      [own[slice], (other: number | undefined) => other === slice],
      [rests[slice], (other: number | undefined) => other !== slice],
    ] as const) {
      const expected = createUnitSums(0.1)
      for (let cluster = 0; cluster < 300; cluster++) {
        const inside = indexes.filter((at) => clusters[at] === cluster && isIn(slices[at]))
        if (inside.length > 0)
          expected.add(
            inside.reduce((sum, at) => sum + (values[at] ?? 0), 0),
            inside.length,
          )
      }
      expect(found?.powers).toEqual(expected.powers)
      expect(found?.range).toEqual(expected.range)
    }
  }
})
