import { describe, expect, it } from "vitest"
import { openLocalRecording } from "./local-recording.ts"

const open = (tasks: object, choice: Parameters<typeof openLocalRecording>[1] = {}, type = "custom") =>
  openLocalRecording(
    { namespace: "default", target: { type: "rows", rows: [] }, config: { type, tasks } } as Parameters<
      typeof openLocalRecording
    >[0],
    choice,
    { dataFolder: "/data", isFresh: false },
  ).folder

describe("the recording of a run of this machine", () => {
  it.each([
    [{ a: { type: "conversation" } }, {}, "/data/answers"],
    [{ a: { type: "conversation", params: { cache: false } } }, {}, undefined],
    [{ a: { type: "chat-completion" } }, {}, undefined],
    [{ a: { type: "chat-completion" } }, { folder: "/own" }, "/own"],
    [{ a: { type: "chat-completion" } }, { isReplayOnly: true }, "/data/answers"],
  ])("of %j with %j is in %j", (tasks, choice, folder) => {
    expect(open(tasks, choice)).toBe(folder)
  })

  it.each([
    [{ a: { type: "loglikelihood" } }, { folder: "/own" }, "custom"],
    [{}, { isReplayOnly: true }, "content_safety"],
    [{ a: { metrics: { m: { type: "remote" } } } }, { isReplayOnly: true }, "custom"],
  ])("is refused if it would send what is not recorded: %j", (tasks, choice, type) => {
    expect(() => open(tasks, choice, type)).toThrow("are not recorded: leave --re")
  })
})
