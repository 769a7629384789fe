import { expect, it } from "vitest"
import { formatDraw } from "../row-index/labels/draw-name.ts"
import { formatPairDraw } from "../row-index/labels/pair-draw-id.ts"
import { createLabelAcceptance } from "./accept-labels.ts"

const DIGEST = "ab".repeat(32)
const label = { task: "qa", row_index: 3, repeat: 0, metric: "good", label: 1 }
const job = {
  id: "eval-1",
  config: undefined,
  judged: () => Promise.resolve({ score: "good.score", low: 0, high: 1 } as never),
  issued: ({ digests }: { readonly digests: readonly number[] }) => Promise.resolve(digests.map(() => 1)),
}
const accept = async (draw: string | null) => {
  const labels = [{ label: { ...label, draw }, digest: DIGEST }]
  return (await createLabelAcceptance(job, labels)).of({ ...label, draw }, DIGEST)
}
const name = { by: "random", seed: 1, job: "eval-1", score: "good.score" } as const

const pairs = formatPairDraw({ jobs: ["eval-0", "eval-1"], score: "good.score", seed: 1 })

it("a label brings the draw of its own job and score", async () => {
  const draw = formatDraw(name)
  expect(await accept(draw)).toEqual({ metric: "good.score", label: 1, probability: 1, draw })
  expect(await accept(null)).toMatchObject({ probability: null, draw: null })
  expect(await accept(pairs)).toMatchObject({ probability: null, draw: pairs })
})

it.each([
  ["job", formatDraw({ ...name, job: "eval-2" })],
  ["score", formatDraw({ ...name, score: "other.score" })],
  ["seed", formatDraw(name).replace("-1-", "-2-")],
  ["kind", formatDraw(name).replace("random", "uncertainty")],
  ["pair of jobs", formatPairDraw({ jobs: ["eval-0", "eval-2"], score: "good.score", seed: 1 })],
  ["score of two jobs", formatPairDraw({ jobs: ["eval-0", "eval-1"], score: "other.score", seed: 1 })],
  ["seed of two jobs", pairs.replace("-1-", "-2-")],
  ["seed of two jobs, written with a zero", pairs.replace("-1-", "-01-")],
  ["version, without the part of the job", "random-1"],
])("a draw of another %s is refused", async (_what, draw) => {
  await expect(accept(draw)).rejects.toThrow(
    `The draw '${draw}' of row 3 was not issued for 'good.score' of job 'eval-1'; send the id in "draw" of the queue`,
  )
})
