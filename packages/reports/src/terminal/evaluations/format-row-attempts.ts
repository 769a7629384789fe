import type { RowAttempt, RowAttempts, RowRequests } from "@assay/schemas"

/** Formats everything about one row: its item, and each attempt with its requests, its answer, its scores and what judges said. */
export function formatRowAttempts({ task, row_index, attempts }: RowAttempts): string {
  const item = block("item", JSON.stringify(attempts[0]?.item ?? {}, null, 2))
  return `${task}/${row_index}\n\n${[item, ...attempts.map(formatAttempt)].join("\n")}`
}

function formatAttempt(row: RowAttempt): string {
  const { repeat, attempt, latency_ms: ms, finish_reason: reason, output, error, requests } = row
  const took = [ms === null ? "" : `${Math.round(ms)} ms`, reason ?? ""].filter((part) => part !== "").join(", ")
  return [
    `repeat ${repeat}, attempt ${attempt}${took === "" ? "" : ` (${took})`}\n`,
    ...requests.map(formatRequests),
    row.conversation === undefined ? "" : formatConversation(row.conversation),
    output === null || row.conversation !== undefined ? "" : block("answer", output),
    error === null ? "" : block(`error ${error.code}`, error.message),
    ...formatScores(row),
  ].join("")
}

function formatRequests({ metric, requests, reason }: RowRequests): string {
  const name = metric === null ? "request" : `request of ${metric}`
  if (reason !== null) return block(`${name}, which cannot be rendered again`, reason)
  return requests.map(({ to, body }) => block(`${name} to ${to}`, JSON.stringify(body, null, 2))).join("")
}

/** Formats the turns of a conversation with their calls, and why it ended. */
function formatConversation({ turns, end, state }: NonNullable<RowAttempt["conversation"]>): string {
  const held = turns.map(({ user, calls, output_text, scores }, turn) => {
    const values = Object.entries(scores).flatMap(([metric, found]) =>
      Object.entries(found).map(([score, value]) => `${metric}.${score}: ${value}`),
    )
    const lines = [
      `user: ${user}`,
      ...calls.map((call) => `${call.name}(${JSON.stringify(call.arguments)}) ${outcomeOf(call)}`),
      `assistant: ${output_text ?? "(no answer)"}`,
      ...(values.length === 0 ? [] : [values.join(", ")]),
    ]
    return block(`turn ${turn + 1}`, lines.join("\n"))
  })
  return `${held.join("")}  end: ${end}, with the state ${JSON.stringify(state)}\n`
}

function outcomeOf({
  error,
  result,
}: NonNullable<RowAttempt["conversation"]>["turns"][number]["calls"][number]): string {
  return error === undefined ? `→ ${JSON.stringify(result ?? null)}` : `✗ ${error}`
}

function* formatScores({ scores, unreadable = {} }: RowAttempt): Generator<string, void, undefined> {
  for (const [metric, values] of Object.entries(scores)) {
    for (const [score, value] of Object.entries(values)) yield `  ${metric}.${score}: ${value}\n`
    const unread = unreadable[metric]
    if (unread !== undefined)
      yield block(`${metric} has no score (${unread.reason}), because its judge said`, unread.raw)
  }
}

function block(title: string, text: string): string {
  return `  ${title}:\n${text.replaceAll(/^/gmu, "    ")}\n`
}
