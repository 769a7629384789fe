import { describe, expect, it } from "vitest"
import type { ShardState } from "../run/run-state.ts"
import type { ShardProcess } from "../executor.ts"
import { endedShards, noteSeen, type SeenShard, type WatchedSubmission } from "./missing-shards.ts"
import type { StoredSubmission } from "./submissions.ts"

const MINUTE = 60_000
const shard = (index: number, over: Partial<ShardState> = {}): ShardState => ({
  index,
  rows: 10,
  state: "waiting",
  isStopped: false,
  progress: undefined,
  failure: undefined,
  ...over,
})
const begun = (index: number, updated_at: number): ShardState =>
  shard(index, {
    state: "running",
    progress: {
      attempt: 1,
      processed: 1,
      asked: 1,
      failed: 0,
      tokens: { prompt: 0, completion: 0, unsplit: 0, uncounted: 0 },
      host: "h",
      started_at: 0,
      updated_at,
    },
  })
const stored = (over: Partial<StoredSubmission> = {}): StoredSubmission => ({
  executor: "engine",
  profile: { values: {} },
  program: ["assay"],
  options: [],
  at_once: 2,
  retries: 1,
  merges: false,
  indexes: [0, 1],
  round: 0,
  number: 1,
  at: 0,
  before: {},
  given: { ids: ["7"], indexes: [0, 1], merges: false },
  hasFailed: false,
  ...over,
})
const watched = (
  processes: readonly ShardProcess[] | undefined,
  over: Partial<WatchedSubmission> = {},
): WatchedSubmission => ({
  stored: stored(),
  looked: processes === undefined ? undefined : new Map(processes.map((one) => [one.index, one])),
  isTied: false,
  restarts: false,
  ...over,
})

/** Looks again and again, and returns which shards have ended at the last look. */
function look(
  looks: readonly { readonly shards: readonly ShardState[]; readonly by: WatchedSubmission; readonly now: number }[],
  isAsked = false,
): readonly (readonly [number, boolean])[] {
  const seen = new Map<number, SeenShard>()
  let ended: ReturnType<typeof endedShards> = []
  for (const { shards, by, now } of looks) {
    noteSeen(seen, { shards }, { submissions: [by], now })
    ended = endedShards({ shards }, [by], { seen, now, isAsked })
  }
  return ended.map(({ index, mayRetry }) => [index, mayRetry])
}

describe("shards that nothing executes", () => {
  const waiting = [shard(0), shard(1)]

  it("are those that no submission contains", () => {
    const by = watched([{ index: 0, state: "waiting" }], { stored: stored({ indexes: [0] }) })
    expect(look([{ shards: waiting, by, now: 0 }])).toEqual([[1, true]])
  })

  it("are those whose engine says so for half a minute, because another machine can hide a new file", () => {
    const by = watched([
      { index: 0, state: "ended" },
      { index: 1, state: "running" },
    ])
    const first = { shards: waiting, by, now: 0 }
    expect(look([first])).toEqual([])
    expect(look([first, { ...first, now: MINUTE }])).toEqual([[0, true]])
    expect(look([first], true)).toEqual([[0, true]])
    expect(look([{ ...first, shards: [shard(0, { state: "done" }), shard(1)] }])).toEqual([])
  })

  it("may not be submitted again after the retries of their submission", () => {
    const processes: readonly ShardProcess[] = [{ index: 0, state: "ended" }]
    const last = watched(processes, { stored: stored({ round: 1 }), isTied: true })
    expect(look([{ shards: waiting, by: last, now: 0 }])).toEqual([[0, false]])
    const restarted = watched(processes, { isTied: true, restarts: true })
    expect(look([{ shards: waiting, by: restarted, now: 0 }])).toEqual([[0, false]])
    const interrupted = watched([{ index: 0, state: "ended", isInterrupted: true }], { isTied: true, restarts: true })
    expect(look([{ shards: waiting, by: interrupted, now: 0 }])).toEqual([[0, true]])
  })

  it("are not those of an engine that did not respond yet", () => {
    expect(look([{ shards: waiting, by: watched(undefined), now: 60 * MINUTE }])).toEqual([])
  })

  it("are, if the engine can't say, those that began and write no counts any more", () => {
    const by = watched([])
    const looks = [
      { shards: [begun(0, 1000), begun(1, 1000)], by, now: 0 },
      { shards: [begun(0, 1000), begun(1, 2000)], by, now: 4 * MINUTE },
      { shards: [begun(0, 1000), begun(1, 2000)], by, now: 6 * MINUTE },
    ]
    expect(look(looks.slice(0, 2))).toEqual([])
    expect(look(looks)).toEqual([[0, true]])
  })

  it("are, if the engine can't say, not those that wait while others work", () => {
    const by = watched([])
    const quiet = { shards: [begun(0, 1000), shard(1)], by, now: 0 }
    expect(look([quiet, { shards: [begun(0, 2000), shard(1)], by, now: 31 * MINUTE }])).toEqual([])
    expect(
      look([
        { shards: waiting, by, now: 0 },
        { shards: waiting, by, now: 600 * MINUTE },
      ]),
    ).toEqual([])
    expect(look([quiet, { ...quiet, now: 31 * MINUTE }])).toEqual([
      [0, true],
      [1, true],
    ])
  })

  it("are those of a submission that was refused, or that a killed process left unfinished, and that is not a retry", () => {
    const refused = stored({ round: 1, given: { ids: [], indexes: [0, 1], merges: false } })
    const all = [
      [0, true],
      [1, true],
    ]
    expect(look([{ shards: waiting, by: watched(undefined, { stored: refused }), now: 0 }])).toEqual(all)
    const claimed = watched(undefined, { stored: stored({ round: 1, given: undefined }) })
    expect(look([{ shards: waiting, by: claimed, now: MINUTE }])).toEqual([])
    const later = { shards: waiting, by: claimed, now: 7 * MINUTE }
    expect(look([{ ...later, now: MINUTE }, later])).toEqual(all)
    // The clock of the follower can be before that of the process that submitted.
    expect(look([later])).toEqual([])
    expect(look([later], true)).toEqual(all)
  })

  it("are found whatever the clocks of other machines show", () => {
    const by = watched([], { stored: stored({ at: 60 * MINUTE, before: { 0: { updated: 1000, failure: 1 } } }) })
    const failure = {
      index: 0,
      attempt: 1,
      at: 99 * MINUTE,
      code: "x",
      message: "",
      findings: { errors: [], retries: [] },
    }
    const failed = (attempt: number) => [shard(0, { state: "failed", failure: { ...failure, attempt } })]
    expect(look([{ shards: failed(1), by, now: 0 }])).toEqual([])
    expect(look([{ shards: failed(2), by, now: 0 }])).toEqual([[0, true]])
    // Counts of the process before are none of this submission.
    const [before, after] = [[begun(0, 1000)], [begun(0, 900)]]
    expect(look([0, 40].map((now) => ({ shards: before, by, now: now * MINUTE })))).toEqual([])
    expect(look([0, 40].map((now) => ({ shards: after, by, now: now * MINUTE })))).toEqual([[0, true]])
  })

  it("are, if a user asks and the engine can't say, those whose counts are old", () => {
    const look1 = { shards: [begun(0, MINUTE), begun(1, 58 * MINUTE)], by: watched([]), now: 60 * MINUTE }
    expect(look([look1])).toEqual([])
    expect(look([look1], true)).toEqual([[0, true]])
  })
})
