import { Type } from "@sinclair/typebox"
import { boundItems, withNotes } from "../answers/bound-answer.ts"
import { defineTool } from "../tool.ts"
import { addressOf, notesField } from "./fields.ts"

const MAX_MESSAGE = 100_000

export const checkMessage = defineTool({
  name: "check_message",
  title: "Check a message",
  description:
    "Asks the judges of a guardrail configuration whether a message may pass, and with `answer`, whether a model's answer to it may. `unknown` means that a judge gave no readable verdict: never treat it as safe. Sends requests to the judges, which may cost.",
  effect: "asks",
  input: Type.Object(
    {
      guardrail: Type.String({
        minLength: 1,
        maxLength: 512,
        description: "The name of a guardrail configuration, or `workspace/name`.",
      }),
      message: Type.String({ minLength: 1, maxLength: MAX_MESSAGE, description: "The message of the user." }),
      answer: Type.Optional(
        Type.String({ minLength: 1, maxLength: MAX_MESSAGE, description: "The answer of a model to the message." }),
      ),
      workspace: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 512,
          description: "The workspace whose models and secrets are used. Default: that of the guardrail.",
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    status: Type.String({ description: "success, blocked or unknown." }),
    rails: Type.Array(
      Type.Object({
        name: Type.String(),
        status: Type.String(),
        policy: Type.Union([Type.String(), Type.Null()], {
          description: "The policy that decided, if the verdict did not.",
        }),
        verdict: Type.Unknown(),
        unreadable: Type.Unknown(),
        error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
        reason: Type.Optional(Type.String({ description: "Why a rule blocked, which asks no judge." })),
        latency_ms: Type.Number(),
      }),
    ),
    notes: notesField,
  }),
  run: async ({ guardrail, message, answer, workspace }, { client, signal, ...context }) => {
    const messages = [
      { role: "user", content: message },
      ...(answer === undefined ? [] : [{ role: "assistant", content: answer }]),
    ]
    const body = { messages, guardrails: { config_id: guardrail } }
    // A token that has rights only there can check with it.
    const [owner] = addressOf(guardrail, context.workspace)
    const { status, guardrails_data } = await client.guardrails.check(workspace ?? owner, body, { signal })
    const rails = guardrails_data.log.activated_rails.map((rail) => ({
      name: rail.name,
      status: rail.status,
      policy: rail.policy,
      verdict: rail.verdict as unknown,
      unreadable: rail.unreadable as unknown,
      error: rail.error,
      ...(rail.reason === undefined ? {} : { reason: rail.reason }),
      latency_ms: rail.latency_ms,
    }))
    const { kept, notes } = boundItems(rails, { noun: "rail", rest: () => "`assay guard check` prints all." })
    return { status, rails: [...kept], ...withNotes(notes, warningsOf(guardrails_data.warnings)) }
  },
})

const MAX_WARNINGS = 10

function warningsOf(warnings: readonly { readonly loc: readonly (string | number)[]; readonly msg: string }[] = []) {
  return warnings.slice(0, MAX_WARNINGS).map(({ loc, msg }) => `${loc.join(".")}: ${msg}`)
}
