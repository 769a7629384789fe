import { readdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import { editPrompt, type OpenedGuard, withPrompt, type WrittenCandidate } from "@assay/guardrails"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { localFailure, readLocalText } from "@assay/storage"
import type { Context } from "../../context.ts"
import { openGuard } from "./open-guard.ts"
import { openProposals, type ProposalOptions, type ProposalSource } from "./open-proposals.ts"

export interface CandidateOptions extends ProposalOptions {
  readonly config: string
  /** A folder, or how many edits of the base's prompt or proposals of a model to try. */
  readonly candidates: string
}

export interface OpenedCandidate extends OpenedGuard {
  /** The prompt, if a program wrote it. */
  readonly text?: string
}

/**
 * Opens the base configuration and its candidates: those of a folder, edits of its prompt, or proposals of a model. Close all.
 * @throws `bad_usage`, `bad_document`; the errors of endpoints
 */
export async function openCandidates(
  context: Context,
  options: CandidateOptions,
  source: Omit<ProposalSource, "base">,
): Promise<readonly OpenedCandidate[]> {
  const { config, candidates, proposeWith } = options
  const [model, ...others] = options.model
  if (others.length > 0) throw new AssayError("bad_usage", "--model names the judge of all candidates: give it once.")
  const base = await openGuard(context, { config, model }, options)
  try {
    if (proposeWith !== undefined) {
      const proposed = await openProposals(context, proposeWith, options, { ...source, base })
      return [base, ...(await openWritten(context, proposed, options))]
    }
    return [
      base,
      ...(/^\d+$/u.test(candidates)
        ? await openWritten(context, editsOf(base, options), options)
        : await openFolder(context, model, options)),
    ]
  } catch (error) {
    await base.close()
    throw error
  }
}

function editsOf(base: OpenedGuard, { candidates, seed }: CandidateOptions): readonly WrittenCandidate[] {
  if (base.data !== null) return editPrompt(base.data, { count: Number(candidates), seed })
  const message = `'${printable(base.name)}' is a configuration on the server, whose prompt can't be edited here: name a file, or give --url and --model.`
  throw new AssayError("bad_usage", message)
}

async function openWritten(
  context: Context,
  written: readonly WrittenCandidate[],
  options: CandidateOptions,
): Promise<readonly OpenedCandidate[]> {
  const opened: OpenedCandidate[] = []
  for (const { name, text, data } of written) {
    const edit = { change: () => data, isQuiet: true }
    const guard = await openGuard(context, { config: options.config, model: options.model[0], edit }, options)
    opened.push({ ...guard, name, text })
  }
  return opened
}

/** Opens each file of a folder: a configuration, or a text that replaces the base's prompt. */
async function openFolder(
  context: Context,
  model: string | undefined,
  options: CandidateOptions,
): Promise<readonly OpenedCandidate[]> {
  const { cwd } = context
  const { config, candidates: folder } = options
  const names = await readdir(resolve(cwd, folder)).catch((error: unknown) => {
    throw localFailure(error, "read", folder)
  })
  const files = names.filter((name) => /\.(?:json|ya?ml|txt|md)$/u.test(name)).toSorted()
  if (files.length === 0) {
    const message = `--candidates '${printable(folder)}' has no .txt, .md, .json or .yaml file: put one prompt or configuration into each.`
    throw new AssayError("bad_document", message)
  }
  const opened: OpenedCandidate[] = []
  for (const name of files) {
    const path = `./${join(folder, name)}`.replace(/^\.\/(?=\/)/u, "")
    if (!/\.(?:txt|md)$/u.test(name)) {
      opened.push({ ...(await openGuard(context, { config: path, model }, options)), name })
      continue
    }
    const content = await readLocalText(resolve(cwd, folder, name))
    const edit = { change: (data: Parameters<typeof withPrompt>[0]) => withPrompt(data, content, path) }
    opened.push({ ...(await openGuard(context, { config, model, edit }, options)), name })
  }
  return opened
}
