import { versions } from "node:process"
import { expect, it } from "vitest"
import { nodeFault } from "./node-fault.ts"

it("a Node that is too old is named with the version that is needed", () => {
  expect(nodeFault("20.20.2")).toBe("Node 20.20.2 is too old: install Node 24 or newer.")
  expect([nodeFault("24.0.0"), nodeFault("100.1.0"), nodeFault(versions.node)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
