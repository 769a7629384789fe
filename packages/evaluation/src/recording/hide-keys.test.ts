import { mkdtempDisposableSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ChatAnswer } from "@assay/inference"
import type { ScoringEnvironment } from "@assay/scoring"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { withHiddenKeys } from "./hide-keys.ts"
import { openRecording } from "./open-recording.ts"

type Keyed = Required<Pick<ScoringEnvironment, "resolveKey" | "resolveSecret" | "recording">>

const KEY = 'sk/"secret"-1'

it(
  "a recording never has a key that an endpoint returns, and the run that records has the same answer as its replay",
  verifies("run.recording-keys"),
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "keys-"))
    const recording = openRecording(folder.path)
    const keyed: Keyed = { resolveKey: async () => `${KEY}\n`, resolveSecret: async () => "secret-2", recording }
    const environment = withHiddenKeys(keyed)
    const endpoint = { url: `http://h/v1?code=secret-3`, model_id: "m" }
    await environment.resolveKey(endpoint)
    await environment.resolveSecret("judge")
    const said = `Your key is ${KEY}, and that of the judge secret-2.`
    const answer = {
      text: said,
      reasoning: null,
      refusal: null,
      finishReason: "stop",
      toolCalls: [{ function: { name: "call", arguments: JSON.stringify({ key: KEY }) } }],
      logprobs: null,
      usage: null,
      latencyMs: 1,
      attempts: 1,
      body: { sent: { authorization: `Bearer ${KEY}`, base64: btoa(KEY) } },
    } satisfies ChatAnswer
    const request = { baseUrl: endpoint.url, model: "m", body: { messages: [{ content: KEY }] }, repeat: 0 }
    const recorded = await environment.recording?.answer(request, async () => answer)
    expect(recorded?.text).toBe("Your key is ***, and that of the judge ***.")
    const replayed = await openRecording(folder.path, { isReplayOnly: true }).answer(request, async () => answer)
    expect(replayed).toEqual({ ...recorded, isRecorded: true })
    const files = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    expect(files).toHaveLength(1)
    const written = files
      .map(({ parentPath, name }) => `${name} ${readFileSync(join(parentPath, name), "utf8")}`)
      .join()
    for (const secret of ["secret", btoa(KEY), "sk/"]) expect(written).not.toContain(secret)
  },
)
