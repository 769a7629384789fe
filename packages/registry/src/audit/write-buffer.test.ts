import { expect, it } from "vitest"
import { createWriteBuffer } from "./write-buffer.ts"

it("A buffer stores what is added while it stores with the next batch, and everything when it closes", async () => {
  const batches: number[][] = []
  let next = 0
  const add = () => buffer.add((next += 1))
  const buffer = createWriteBuffer<number>(
    async (items) => {
      batches.push([...items])
      if (next < 20) add()
    },
    { warn: () => {} },
  )
  add()
  add()
  await buffer.flush()
  expect(batches).toEqual([[1, 2]])
  await buffer.flush()
  expect(batches).toEqual([[1, 2], [3]])
  await buffer.close()
  expect(batches.flat()).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
})
