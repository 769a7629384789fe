import { expect, it } from "vitest"
import { createSteadyClock } from "./steady-clock.ts"

const HOUR = 3_600_000

function createMachine() {
  const machine = { jump: 0, passed: 500 }
  const clock = createSteadyClock({ now: () => 1e12 + machine.jump + machine.passed, elapsed: () => machine.passed })
  const after = (hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      machine.passed += HOUR
      clock()
    }
    return clock() - 1e12 - machine.passed
  }
  return { machine, after }
}

it("A steady clock does not follow a jump of the machine's clock that is taken back within a day", () => {
  const { machine, after } = createMachine()
  for (const jump of [HOUR, 0, 500 * HOUR, 30 * HOUR, 0]) {
    machine.jump = jump
    expect(after(23)).toBe(0)
  }
})

it("A steady clock follows a jump that stays, small corrections, and a jump back", () => {
  const { machine, after } = createMachine()
  machine.jump = 1000 * HOUR
  expect(after(25)).toBe(1000 * HOUR)
  machine.jump += 30_000
  expect(after(0)).toBe(1000 * HOUR + 30_000)
  machine.jump = -2 * HOUR
  expect(after(0)).toBe(-2 * HOUR)
  machine.jump = 0
  expect(after(23)).toBe(-2 * HOUR)
  expect(after(2)).toBe(0)
})
