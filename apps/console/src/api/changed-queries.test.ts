import { QueryClient, QueryObserver } from "@tanstack/react-query"
import { expect, it, vi } from "vitest"
import { createChangedQueries, isAbout } from "./changed-queries.ts"

const change = (kind: string, workspace: string | null, name: string | null) => ({ kind, workspace, name })

it.each([
  [["filesets", "recent"], change("filesets", "ws", "rows"), true],
  [["files", "ws", "rows", "list"], change("filesets", "ws", "rows"), true],
  [["files", "ws", "other", "list"], change("filesets", "ws", "rows"), false],
  [["rows", "ws", "rows"], change("filesets", "ws", null), true],
  [["jobs", "eval-1", "rows"], change("jobs", "ws", "eval-1"), true],
  [["jobs", "eval-2", "rows"], change("jobs", "ws", "eval-1"), false],
  [["jobs", "home"], change("jobs", "ws", "eval-1"), true],
  [["jobs", "listed"], change("jobs", "ws", "eval-1"), false],
  [["jobs", "eval-1", "labels"], change("jobs", "ws", "eval-1"), false],
  [["audit", {}], change("secrets", "ws", null), true],
  [["audit", {}], change("jobs", "ws", "eval-1"), false],
  [["secrets", "ws"], change("secrets", "ws", null), true],
  [["page", "HomePage"], change("filesets", "ws", null), false],
])("the answer %j may have changed by %j: %j", (key, changed, expected) => {
  expect(isAbout(key, changed)).toBe(expected)
})

it("an answer that is read while its record changes is read once more, and others are not", async () => {
  const queries = new QueryClient()
  const answers: PromiseWithResolvers<number>[] = []
  const ask = () => {
    const answer = Promise.withResolvers<number>()
    answers.push(answer)
    return answer.promise
  }
  const end = new QueryObserver(queries, { queryKey: ["secrets", "ws"], queryFn: ask }).subscribe(() => {})
  const { change: tell, stop } = createChangedQueries(queries)
  tell([change("secrets", "ws", null), change("tokens", null, null)])
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  answers[0]?.resolve(1)
  await vi.waitFor(() => expect(answers).toHaveLength(2), { timeout: 10_000 })
  answers[1]?.resolve(2)
  stop()
  end()
  queries.clear()
})
