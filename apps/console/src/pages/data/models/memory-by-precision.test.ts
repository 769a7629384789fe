import { expect, it } from "vitest"
import { memoryByPrecision } from "./memory-by-precision.ts"

it("weights of 70 billion parameters and a cache of 40 GiB need few GPUs in few bits, and fewer of larger ones", () => {
  const serving = { gpu: 80, context: 8192, batch: 16 }
  const gpusOf = (gpu: number) => memoryByPrecision(70e9, 327_680, { ...serving, gpu }).map(({ gpus }) => gpus)
  expect(gpusOf(80)).toEqual([8, 4, 2, 2])
  expect(gpusOf(192)).toEqual([2, 1, 1, 1])
  expect(memoryByPrecision(70e9, 327_680, serving)[1]).toMatchObject({ weights: 140e9, total: 140e9 + 40 * 2 ** 30 })
  expect(memoryByPrecision(1e9, null, serving)[0]).toMatchObject({ total: 4e9, gpus: 1 })
})
