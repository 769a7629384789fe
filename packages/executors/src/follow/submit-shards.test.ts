import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openStorage } from "@assay/storage"
import { beforeEach, expect, it } from "vitest"
import { planOfShards } from "../testing/plan-of-shards.ts"
import { openRunState } from "../run/run-state.ts"
import { writePlan } from "../run/shard-plan.ts"
import type { RunStore } from "../run/run-store.ts"
import type { Executor } from "../executor.ts"
import { openSubmissions } from "./submissions.ts"
import { submitShards } from "./submit-shards.ts"

let store: RunStore
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-submit-"))
  const { storage } = await openStorage({ type: "local", path: folder })
  store = { location: folder, folder, storage }
  await writePlan(
    store,
    planOfShards(folder, { shards: [[{ task: "t", firstRow: 0, endRow: 10, repeats: 1 }]], atOnce: 1 }),
  )
  return () => rmSync(folder, { recursive: true, force: true })
})

const request = {
  executor: "test",
  profile: { values: {} },
  program: ["assay"],
  options: [],
  at_once: 1,
  retries: 1,
  merges: false,
  indexes: [0],
  round: 0,
}

/** Submits the shard, and returns how often the engine was given it. @param maySubmit answers to the questions, the last one for all others */
async function submit(...maySubmit: readonly boolean[]) {
  let submitted = 0
  const executor: Executor = {
    render: async () => "",
    submit: async ({ indexes }) => ({ ids: [`${++submitted}`], indexes, merges: false }),
    look: async () => [],
    cancel: async () => {},
    async *logs() {},
  }
  const submissions = openSubmissions(store)
  const { signal } = new AbortController()
  const answers = [...maySubmit]
  const seen = { state: await openRunState(store).read(), seen: (await submissions.list()).last }
  const stored = await submitShards(request, seen, {
    run: folder,
    executor,
    submissions,
    maySubmit: async () => (answers.length > 1 ? answers.shift() : answers[0]) ?? true,
    now: Date.now,
    signal,
  })
  return { submitted, stored, all: (await submissions.list()).all }
}

it("A process that may not submit gives the engine nothing, and takes no number from the one that may", async () => {
  const refused = await submit(false)
  expect([refused.submitted, refused.stored, refused.all]).toEqual([0, undefined, []])
  const allowed = await submit(true)
  expect([allowed.submitted, allowed.stored?.number]).toEqual([1, 1])
})

it("A process that was suspended after it took a number gives the engine nothing", async () => {
  const { submitted, stored, all } = await submit(true, false)
  expect([submitted, stored]).toEqual([0, undefined])
  expect(all.map(({ number, given }) => [number, given])).toEqual([[1, undefined]])
})
