import { createHash } from "node:crypto"
import type { ChatMessage, GuardrailData } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { WrittenCandidate } from "../candidates/edit-prompt.ts"
import { inputPromptOf } from "../candidates/input-prompt.ts"
import { checkProposal } from "./check-proposal.ts"
import { proposalQuestion } from "./proposal-question.ts"
import { readProposals } from "./read-proposals.ts"
import type { TuningFaults } from "./tuning-faults.ts"

/** Prompts that a model wrote, and why others were refused. It is stored, so that a rerun tries the same ones. */
export interface Proposals {
  /** Of everything that the proposals depend on. */
  readonly digest: string
  readonly prompts: readonly string[]
  readonly refused: readonly string[]
}

export interface ProposeOptions {
  /** The base configuration, whose prompt is rewritten. */
  readonly data: GuardrailData
  readonly count: number
  readonly faults: TuningFaults
  /** Asks the model. @throws the error of the endpoint */
  readonly ask: (messages: readonly ChatMessage[]) => Promise<string | null>
}

/** A model that proposes nothing useful is not asked again and again. */
const MAX_QUESTIONS = 3
/** Prompts of one answer beyond this are not looked at. A model may write more than it was asked for, and some of them badly. */
const MAX_READ = 100
/** Reasons beyond this are not shown to the model, and not kept. */
const MAX_REFUSED = 50

/** The inputs of proposals for a configuration, besides its prompt. */
export interface ProposalInputs {
  readonly url: string
  readonly model: string
  readonly count: number
  readonly seed: number
  /** Of all rows. */
  readonly rows: string
}

/** Returns the digest of everything that the proposals depend on. @throws `bad_usage` if the configuration has no prompt to rewrite */
export function proposalDigest(data: GuardrailData, { url, model, count, seed, rows }: ProposalInputs): string {
  const parts = [basePromptOf(data), url, model, count, seed, rows]
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex")
}

/**
 * Asks a model for `count` versions of the prompt of the first input rail. If some can't be used, it is asked for others, at most three
 * times in all. Its answers are not trusted: they are cut, checked and compared, and what is refused is named.
 * @throws `bad_usage` if no proposal can be used; what `ask` throws
 */
export async function proposePrompts({
  data,
  count,
  faults,
  ask,
}: ProposeOptions): Promise<Pick<Proposals, "prompts" | "refused">> {
  const base = basePromptOf(data)
  const prompts: string[] = []
  const refused: string[] = []
  for (let question = 0; question < MAX_QUESTIONS && prompts.length < count; question++) {
    const missing = count - prompts.length
    const answer = await ask(proposalQuestion({ ...faults, base, count: missing, refused }))
    const before = prompts.length
    for (const text of readProposals(answer ?? "", MAX_READ)) {
      if (prompts.length === count) break
      const reason = refusalOf(data, text, [base, ...prompts])
      if (reason === null) prompts.push(text)
      else if (refused.length < MAX_REFUSED) refused.push(`version ${prompts.length + refused.length + 1}: ${reason}`)
    }
    if (prompts.length === before && question > 0) break
  }
  if (prompts.length > 0) return { prompts, refused }
  const why = refused[0] ?? "it wrote nothing between <prompt> and </prompt>"
  const message = `The model proposed no prompt that can be used (${why}); name another model with --propose-with, or leave it out.`
  throw new AssayError("bad_usage", message)
}

/** Returns the candidates of proposals. Those that can't be used, for example because a stored one was changed, are left out. */
export function proposedCandidates(data: GuardrailData, prompts: readonly string[]): readonly WrittenCandidate[] {
  return prompts.flatMap((text, at) => {
    const checked = checkProposal(data, text)
    return "data" in checked ? [{ name: `proposed-${at + 1}`, text, data: checked.data }] : []
  })
}

function refusalOf(data: GuardrailData, text: string, others: readonly string[]): string | null {
  const plain = (prompt: string) => prompt.replaceAll(/\s+/gu, " ").trim()
  const checked = checkProposal(data, text)
  if ("reason" in checked) return checked.reason
  return others.some((other) => plain(other) === plain(text)) ? "it is the same as another one" : null
}

function basePromptOf(data: GuardrailData): string {
  const text = inputPromptOf(data)?.text
  if (text !== undefined && text !== null) return text
  const found = text === undefined ? "has no input rail" : "keeps its rules in the chat template of the model"
  const message = `There is no prompt to rewrite: the configuration ${found}; give prompts or configurations in a folder to --candidates.`
  throw new AssayError("bad_usage", message)
}
