import { expect, it } from "vitest"
import { rightsOf } from "./use-session.ts"

it.each([
  ["viewer", "ws", [false, false, false, false]],
  ["editor", "ws", [true, false, false, false]],
  ["admin", "ws", [true, false, true, false]],
  ["admin", "*", [true, true, true, true]],
] as const)("a token with the role %s in %s is offered what it may do", (role, workspace, expected) => {
  const { mayEdit, mayAdmin, mayAdminAll } = rightsOf({ grants: [{ role, workspace }] })
  expect([mayEdit("ws"), mayEdit("other"), mayAdmin("ws"), mayAdminAll]).toEqual(expected)
})
