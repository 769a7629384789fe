import { expect, it } from "vitest"
import { formatChanges, parseChanges } from "./change.ts"
import { createChangeLog } from "./change-log.ts"

const named = (name: string) => ({ kind: "filesets", workspace: "ws", name })

it("a log of changes returns what came after a number, each change once, and nothing once it has forgotten some", () => {
  const log = createChangeLog(2)
  expect([log.last(), log.since(0), log.since(1)]).toEqual([0, [], undefined])
  for (const name of ["a", "b", "a"]) log.add(named(name))
  expect(log.since(0)).toEqual([named("b"), named("a")])
  expect(log.since(2)).toEqual([named("a")])
  log.add(named("c"))
  // "b" was the second change.
  expect([log.since(1), log.since(2), log.since(4)]).toEqual([undefined, [named("a"), named("c")], []])
  log.forget()
  expect([log.since(4), log.since(log.last())]).toEqual([undefined, []])
})

it("notices of changes and of events of jobs are changes, and others are none", () => {
  const changes = [named("a b"), { kind: "tokens", workspace: null, name: null }]
  expect(parseChanges(formatChanges(changes))).toEqual(changes)
  expect(parseChanges("eval-1 17 ws")).toEqual([{ kind: "jobs", workspace: "ws", name: "eval-1" }])
  // A server of an earlier version does not say whose job it is.
  expect(parseChanges("eval-1 17")).toEqual([{ kind: "jobs", workspace: null, name: null }])
  expect([...parseChanges("left eval-1"), ...parseChanges("queue")]).toEqual([])
})
