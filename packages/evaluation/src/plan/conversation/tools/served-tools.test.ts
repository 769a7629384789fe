import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ProgramSandbox } from "@assay/harness"
import { expect, it, onTestFinished } from "vitest"
import { openRecording } from "../../../recording/open-recording.ts"
import { createWorkRecorder } from "./recorded-work.ts"
import { createServers } from "./served-tools.ts"

/** Servers that say who answers, with a place for one conversation at a time. */
function oneSlot(): ProgramSandbox {
  let last = Promise.resolve()
  let servers = 0
  return {
    run: () => Promise.reject(new Error("no program")),
    open: () => {
      const number = ++servers
      return Promise.resolve({
        list: () => Promise.resolve([]),
        call: (name) => Promise.resolve({ result: `${name} ${number}`, milliseconds: 1 }),
        close: () => Promise.resolve(),
      })
    },
    async takeSlot() {
      const [before, { promise, resolve }] = [last, Promise.withResolvers<void>()]
      last = promise
      await before
      return resolve
    },
  }
}

const program = (name: string) => ({ command: [name], files: {}, environment: {}, timeLimitMs: 1000 })
const call = (name: string) => ({ id: "c", name, args: {}, text: "{}", sent: {} })

it("conversations with servers do not wait for each other, and equal calls have one answer", async () => {
  const folder = mkdtempSync(join(tmpdir(), "served-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const ports = { sandbox: oneSlot(), recorder: createWorkRecorder(openRecording(folder)) }
  const options = { repeat: 0, signal: new AbortController().signal }
  const [first, second] = [createServers(ports, options), createServers(ports, options)]
  const [stock, prices] = [program("stock"), program("prices")]
  await first.answer(stock, call("own"), null)
  // The second conversation waits for the place of the first one, which makes the same call.
  const waiting = second.answer(prices, call("same"), null)
  const { content } = await first.answer(prices, call("same"), null)
  await first.close()
  expect(await waiting).toMatchObject({ content })
  await second.close()
})
