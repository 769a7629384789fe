import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import {
  type CalibrationJournal,
  digestRows,
  findTuningFaults,
  guardCandidates,
  type LabelledPrompt,
  type OpenedGuard,
  openPromptWriter,
  type PromptWriter,
  proposalDigest,
  type Proposals,
  proposedCandidates,
  proposePrompts,
  type WrittenCandidate,
} from "@assay/guardrails"
import { formatJson } from "@assay/reports/terminal"
import { type GuardrailData, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { readLocalText } from "@assay/storage"
import type { Context } from "../../context.ts"
import { writeFile } from "../../output/write-file.ts"
import { writeText } from "../../output/write-text.ts"
import { keyVariables, withKeyHosts } from "./inference-key.ts"
import type { EndpointOptions } from "./open-guard.ts"

export interface ProposalOptions extends EndpointOptions {
  /** The number of prompts that the model is asked for. */
  readonly candidates: string
  readonly seed: number
  readonly parallel: number
  readonly out: string
  readonly proposeWith?: string
  readonly proposeUrl?: string
  readonly proposeApiKeyEnv?: string
}

/** The rows and the base that proposals are made from. */
export interface ProposalSource {
  readonly base: OpenedGuard
  readonly openRows: () => AsyncIterable<LabelledPrompt>
  readonly journal: CalibrationJournal
  readonly thresholds: readonly number[]
}

const MAX_PROPOSALS = 50

/**
 * Returns prompts that a model proposes for the base configuration. They are stored in the folder of the candidates: the next run with the
 * same rows, model and number tries the same ones without asking the model again. Refused proposals are written to stderr.
 * @throws `bad_usage`; the errors of both endpoints
 */
export async function openProposals(
  context: Context,
  model: string,
  options: ProposalOptions,
  source: ProposalSource,
): Promise<readonly WrittenCandidate[]> {
  const { data, name } = source.base
  const count = Number(options.candidates)
  if (data === null) {
    const message = `'${printable(name)}' is a configuration on the server, whose prompt can't be rewritten here: name a file, or give --url and --model.`
    throw new AssayError("bad_usage", message)
  }
  if (!Number.isInteger(count) || count < 1 || count > MAX_PROPOSALS) {
    const message = `--propose-with needs a number of prompts in --candidates, from 1 to ${MAX_PROPOSALS}.`
    throw new AssayError("bad_usage", message)
  }
  const writer = await openWriter(context, model, data, options)
  try {
    const file = join(resolve(context.cwd, options.out), "candidates", "proposals.json")
    const rows = await digestRows(source.openRows())
    const digest = proposalDigest(data, { url: writer.url, model, count, seed: options.seed, rows })
    const stored = await readProposals(file, digest)
    const proposals = stored ?? (await propose(context, { data, count, digest, writer }, options, source))
    if (stored === undefined) await writeFile(file, formatJson(proposals))
    const { prompts, refused } = proposals
    if (stored === undefined && refused.length > 0) {
      const lines = refused.map((reason) => `  ${printable(reason)}\n`).join("")
      await writeText(context.stderr, `${prompts.length} of ${count} proposed prompts are tried. Refused:\n${lines}`)
    }
    return proposedCandidates(data, prompts.slice(0, count))
  } finally {
    await writer.close()
  }
}

async function openWriter(
  context: Context,
  model: string,
  data: GuardrailData,
  { url, keyHost, proposeUrl, proposeApiKeyEnv, apiKeyEnv, ca: file, maxRateLimitWait = 0 }: ProposalOptions,
): Promise<PromptWriter> {
  const { random, sleep, cwd } = context
  const variable = proposeApiKeyEnv ?? (proposeUrl === undefined ? apiKeyEnv : undefined)
  return openPromptWriter({
    data,
    model,
    url: proposeUrl,
    ca: file === undefined ? undefined : await readLocalText(resolve(cwd, file)),
    keys: {
      ...keyVariables(withKeyHosts(context, keyHost), { chosen: variable, urls: [url, proposeUrl] }),
      isChosen: variable !== undefined,
    },
    inference: { now: () => performance.now(), random, sleep },
    maxRateLimitWaitMs: maxRateLimitWait * 1000,
  })
}

interface Asked {
  readonly data: GuardrailData
  readonly count: number
  readonly digest: string
  readonly writer: PromptWriter
}

/** Finds mistakes of the base configuration on the tuning rows, and asks the model for prompts that make fewer. */
async function propose(
  { signal, now }: Context,
  { data, count, digest, writer }: Asked,
  { seed, parallel: parallelism }: ProposalOptions,
  { base, openRows, journal, thresholds }: ProposalSource,
): Promise<Proposals> {
  const [candidate] = guardCandidates(base, thresholds)
  if (candidate === undefined) throw new RangeError("An open configuration is always a candidate.")
  const faults = await findTuningFaults({ judge: candidate.asked, openRows, seed, parallelism, journal, signal, now })
  const ask = (messages: Parameters<PromptWriter["ask"]>[0]) => writer.ask(messages, signal)
  return { digest, ...(await proposePrompts({ data, count, faults, ask })) }
}

/** Returns the stored proposals, or undefined if there are none for the same rows, model and number. */
async function readProposals(file: string, digest: string): Promise<Proposals | undefined> {
  const text = await readFile(file, "utf8").catch(() => "")
  try {
    const stored = JSON.parse(text) as Partial<Proposals> | null
    const areTexts = (list: unknown) => Array.isArray(list) && list.every((one) => typeof one === "string")
    if (stored?.digest !== digest || !areTexts(stored.prompts) || !areTexts(stored.refused)) return undefined
    return stored as Proposals
  } catch {
    return undefined
  }
}
