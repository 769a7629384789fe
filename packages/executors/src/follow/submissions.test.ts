import { mkdtempDisposableSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startFakeObjstore } from "@assay/testkit"
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import type { RunStore } from "../run/run-store.ts"
import { openTestRun } from "../testing/open-test-run.ts"
import { type ClaimedRequest, openSubmissions } from "./submissions.ts"

let folder: string
let store: RunStore
beforeEach(async () => {
  const root = mkdtempDisposableSync(join(tmpdir(), "assay-submissions-"))
  folder = root.path
  store = await openTestRun(folder, "run")
  return () => root.remove()
})

const claimed: ClaimedRequest = {
  executor: "test",
  profile: { values: {} },
  program: ["assay"],
  options: [],
  at_once: 2,
  retries: 1,
  merges: false,
  indexes: [0],
  round: 0,
  at: 0,
  before: {},
}

describe("submissions of a run", () => {
  it("are none of a process that has not seen all before", async () => {
    const submissions = openSubmissions(store)
    const seen = (await submissions.list()).last
    expect(await submissions.claim(claimed, seen)).toBe(1)
    expect(await submissions.claim(claimed, seen)).toBeUndefined()
    await submissions.end("cancelled")
    expect(await submissions.claim(claimed, 1)).toBeUndefined()
    expect(await submissions.list()).toMatchObject({ last: 2, isCancelled: true, active: [], all: [{ number: 1 }] })
  })

  it("are stopped again if the run is cancelled again, but not those of a cancellation before", async () => {
    const submissions = openSubmissions(store)
    await submissions.claim(claimed, 0)
    const numbers = async () => (await submissions.end("cancelled")).map(({ number }) => number)
    expect([await numbers(), await numbers()]).toEqual([[1], [1]])
    await submissions.claim(claimed, 3)
    expect(await numbers()).toEqual([4])
  })

  it("are not forgotten while their storage does not respond", async () => {
    const objstore = await startFakeObjstore()
    onTestFinished(() => objstore.close())
    vi.stubEnv("AWS_ACCESS_KEY_ID", objstore.accessKeyId)
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", objstore.secretAccessKey)
    vi.stubEnv("AWS_REGION", objstore.region)
    vi.stubEnv("AWS_ENDPOINT_URL_S3", objstore.endpoint)
    onTestFinished(() => void vi.unstubAllEnvs())
    const submissions = openSubmissions(await openTestRun(folder, `s3://${objstore.bucket}/run`))
    await submissions.claim(claimed, 0)
    const isRead = ({ method, url }: { readonly method: string; readonly url: string }) =>
      method === "GET" && url.includes("00001.json")
    objstore.faults.add({ when: isRead, fault: { kind: "refuse", status: 403, code: "AccessDenied" } })
    await expect(submissions.list()).rejects.toThrow("00001.json")
    objstore.faults.clear()
    expect((await submissions.list()).all).toHaveLength(1)
  })

  it("have one number each, also if two processes submit at once", async () => {
    const claims = Array.from({ length: 8 }, () => openSubmissions(store).claim(claimed, 0))
    const numbers = (await Promise.all(claims)).filter((one) => one !== undefined)
    expect(numbers).toEqual([1])
    expect(readdirSync(join(folder, "run/submissions"))).toHaveLength(numbers.length)
  })
})
