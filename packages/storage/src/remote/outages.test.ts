import { AssayError } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { createOutages, MAX_OUTAGE_MS } from "./outages.ts"

const away = (
  code: "unavailable" | "upstream_failed" | "rate_limited" | "not_found" = "upstream_failed",
  status?: number,
) => new AssayError(code, `It is away (${code}).`, { context: status === undefined ? {} : { status } })

/** Creates outages whose clock moves only while they wait, and that note when they begin and end. */
function testOutages(hurry?: AbortSignal) {
  let time = 0
  const said: string[] = []
  const sleep = async (milliseconds: number) => void (time += milliseconds)
  const outages = createOutages({
    now: () => time,
    random: () => 1,
    sleep,
    hurry,
    onBegin: ({ message }) => said.push(message),
    onEnd: (milliseconds) => said.push(`over after ${milliseconds} ms`),
  })
  return { outages, said, time: () => time }
}

/** Returns work that fails with these errors, one after the other, and then succeeds. */
function failing(...errors: readonly AssayError[]) {
  let calls = 0
  const work = async () => {
    const error = errors[calls++]
    if (error !== undefined) throw error
    return "done"
  }
  return { work, calls: () => calls }
}

describe("work that outlasts outages", () => {
  it("is repeated until it succeeds, with longer waits", async () => {
    const { outages, said } = testOutages()
    const { work, calls } = failing(away(), away("unavailable"), away("rate_limited", 503))
    expect(await outages.outlast(work)).toBe("done")
    expect(calls()).toBe(4)
    expect(said).toEqual(["It is away (upstream_failed).", "over after 1750 ms"])
  })

  it("fails at once with an error that is not an outage, also after one", async () => {
    const { outages, said } = testOutages()
    await expect(outages.outlast(failing(away("not_found")).work)).rejects.toMatchObject({ code: "not_found" })
    expect(said).toEqual([])
    await expect(outages.outlast(failing(away(), away("not_found")).work)).rejects.toMatchObject({ code: "not_found" })
    expect(said).toEqual(["It is away (upstream_failed)."])
  })

  it("fails after ten minutes with its last error", async () => {
    const { outages, time } = testOutages()
    const work = () => Promise.reject(away())
    await expect(outages.outlast(work)).rejects.toMatchObject({ code: "upstream_failed" })
    expect(time()).toBeGreaterThanOrEqual(MAX_OUTAGE_MS)
    expect(time()).toBeLessThan(MAX_OUTAGE_MS + 10_001)
  })

  it("does not wait for an outage that is not worth it", async () => {
    const { outages } = testOutages()
    const isWorthWaiting = ({ context }: AssayError) => typeof context["status"] === "number"
    const { work, calls } = failing(away("upstream_failed", 503), away())
    await expect(outages.outlast(work, { isWorthWaiting })).rejects.toMatchObject({ code: "upstream_failed" })
    expect(calls()).toBe(2)
  })

  it("ends with the reason of its signal, and fails at once when there is a hurry", async () => {
    const hurry = new AbortController()
    const { outages } = testOutages(hurry.signal)
    const stop = new AbortController()
    const stopping = async () => {
      stop.abort(new Error("stopped"))
      throw away()
    }
    await expect(outages.outlast(stopping, { signal: stop.signal })).rejects.toThrow("stopped")
    hurry.abort()
    const { work, calls } = failing(away())
    await expect(outages.outlast(work)).rejects.toMatchObject({ code: "upstream_failed" })
    expect(calls()).toBe(1)
    expect(await outages.outlast(failing().work)).toBe("done")
  })

  it("reports an outage once while several works wait", async () => {
    const { outages, said } = testOutages()
    await Promise.all([outages.outlast(failing(away(), away()).work), outages.outlast(failing(away()).work)])
    expect(said).toHaveLength(2)
    expect(said[1]).toMatch(/^over after/)
  })
})
