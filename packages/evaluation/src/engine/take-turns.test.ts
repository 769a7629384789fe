import { setImmediate as nextTurn } from "node:timers/promises"
import { expect, it } from "vitest"
import { stepInTurns } from "./take-turns.ts"

it("stepInTurns lets other work run between steps that take long, and returns the result", async () => {
  let time = 0
  let turns = 0
  const done = new AbortController()
  const countTurns = async (): Promise<void> => {
    for (; !done.signal.aborted; turns++) await nextTurn()
  }
  function* tenSteps() {
    for (let step = 0; step < 10; step++) {
      time += 15
      yield
    }
    return turns
  }
  const counting = countTurns()
  const turnsSeen = await stepInTurns(tenSteps(), () => time)
  done.abort()
  await counting
  // Every second step passes the 20 ms of a turn.
  expect(turnsSeen).toBeGreaterThanOrEqual(4)
  expect(turnsSeen).toBeLessThanOrEqual(6)
})
