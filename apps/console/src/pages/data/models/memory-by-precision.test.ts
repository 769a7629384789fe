import { expect, it } from "vitest"
import { memoryByPrecision } from "./memory-by-precision.ts"

it("the weights of 70 billion parameters need 2 GPUs in 16 bits and 1 in 4 bits", () => {
  expect(memoryByPrecision(70e9)).toEqual([
    { precision: "float32", bytes: 280e9, gpus: 4 },
    { precision: "bfloat16, float16", bytes: 140e9, gpus: 2 },
    { precision: "int8, fp8", bytes: 70e9, gpus: 1 },
    { precision: "int4", bytes: 35e9, gpus: 1 },
  ])
})
