import type { TraceCall, TraceMessage } from "../messages/trace-message.ts"
import type { ObservedSpan, TraceToolRun } from "../observed-span.ts"

interface Run {
  readonly call: TraceToolRun
  readonly isFailed: boolean
}

/**
 * Gives each call of a history an id, and the answer that only a span of the tool has. If no answer of a model names a call, the calls are those of the
 * spans of tools: some agents record their tools and not the requests between them.
 */
export function answeredHistory(
  history: readonly TraceMessage[],
  tools: readonly ObservedSpan[],
): readonly TraceMessage[] {
  const runs = tools.flatMap(({ call, isFailed }): readonly Run[] => (call === undefined ? [] : [{ call, isFailed }]))
  const calls = history.reduce((sum, message) => sum + message.calls.length, 0)
  return calls === 0 && runs.length > 0 ? withRuns(history, runs) : withAnswers(history, runs)
}

/** Adds the calls of spans before the last answer. */
function withRuns(history: readonly TraceMessage[], runs: readonly Run[]): readonly TraceMessage[] {
  const last = history.findLastIndex(({ role }) => role === "assistant")
  const at = last < 0 ? history.length : last
  const made = runs.map(({ call }, index) => ({ ...call, id: call.id ?? `call_${index + 1}` }))
  const asked: TraceMessage = {
    role: "assistant",
    text: "",
    calls: made.map(({ id, name, args }) => ({ id, name, args })),
  }
  const answers = made.map((call, index) => answerOf(call.id, { call, isFailed: runs[index]?.isFailed === true }))
  return [...history.slice(0, at), asked, ...answers, ...history.slice(at)]
}

function withAnswers(history: readonly TraceMessage[], runs: readonly Run[]): readonly TraceMessage[] {
  const said = new Set(history.flatMap(({ role, callId }) => (role === "tool" ? (callId ?? []) : [])))
  const left = [...runs]
  const open: { readonly id: string; readonly name: string }[] = []
  let count = 0
  return history.flatMap((message, at): readonly TraceMessage[] => {
    if (message.role === "tool") {
      // An answer without an id is that of the first call before it that has none either.
      const index = open.findIndex(({ name }) => message.tool === undefined || message.tool === name)
      const [own] = message.callId === undefined && index >= 0 ? open.splice(index, 1) : []
      return [own === undefined ? message : { ...message, callId: own.id }]
    }
    const followed = history[at + 1]?.role === "tool"
    const calls = message.calls.map((call) => ({
      ...call,
      id: call.id ?? `call_${(count += 1)}`,
      isOwn: call.id === undefined,
    }))
    const answers = calls.flatMap(({ id, isOwn, ...call }) => {
      if (said.has(id)) return []
      const run = takeRun(left, { ...call, id: isOwn ? undefined : id })
      if (run?.call.result !== undefined || run?.isFailed === true) return [answerOf(id, run)]
      if (isOwn && followed) open.push({ id, name: call.name })
      return []
    })
    return [{ ...message, calls: calls.map(({ id, name, args }) => ({ id, name, args })) }, ...answers]
  })
}

/** Takes the run of a call: that of its id, or the first one of its name with the same arguments. */
function takeRun(left: Run[], { id, name, args }: TraceCall): Run | undefined {
  const written = JSON.stringify(args)
  const byId = id === undefined ? -1 : left.findIndex(({ call }) => call.id === id)
  const index =
    byId >= 0 ? byId : left.findIndex(({ call }) => call.name === name && JSON.stringify(call.args) === written)
  return index < 0 ? undefined : left.splice(index, 1)[0]
}

function answerOf(callId: string, { call, isFailed }: Run): TraceMessage {
  const { name: tool, result } = call
  const text = isFailed ? JSON.stringify({ error: result ?? "The tool failed." }) : (result ?? "")
  return { role: "tool", text, calls: [], callId, tool, ...(isFailed ? { isError: true } : {}) }
}
