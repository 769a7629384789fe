import { evaluationDrafts, type NamedModel } from "@assay/evaluation-files"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { writeText } from "../../output/write-text.ts"
import { type Asker, readYesNo } from "./ask.ts"
import type { InitOptions } from "./init.ts"
import { probeModel } from "@assay/inference"

/** The answer that takes the fake endpoint instead of a model. */
export const FAKE_WORD = "fake"

/**
 * Reads a model, and asks whether to keep it if its endpoint does not answer or does not list its name.
 * @throws `bad_usage` for a model that can't be read, or that the user does not keep
 */
export async function readAnsweringModel(context: Context, asker: Asker, answer: string): Promise<ProbedAnswer> {
  const model = evaluationDrafts.readModel(answer)
  if (!asker.isInteractive) return { ...model, needsKey: false }
  const { fault, needsKey } = await probeModel(context, model)
  if (fault === undefined) return { ...model, needsKey }
  await asker.say(fault)
  if (await asker.ask("Keep this model? y or n", "n", readYesNo)) return { ...model, needsKey }
  throw new AssayError("bad_usage", "Write another model.")
}

export type ProbedAnswer = NamedModel & { readonly needsKey: boolean }

/** Says on stderr why a model that an option names can probably not be asked. The file is written nevertheless: the model may start later. */
export async function noteUnanswering(
  context: Context,
  { json = false }: InitOptions,
  { url, name, key }: NamedModel & { readonly key?: string | undefined },
): Promise<void> {
  if (json) return
  const value = key !== undefined && evaluationDrafts.isVariable(key) ? context.env[key] : undefined
  // The user named the host and the variable in this command.
  const { fault, needsKey } = await probeModel(context, { url, name, key: value === "" ? undefined : value })
  const said =
    fault ??
    (needsKey && key === undefined ? `${new URL(url).host} asks for a key: name its variable with --key.` : undefined)
  if (said !== undefined) await writeText(context.stderr, `note: ${said}\n`)
}

/**
 * Asks for the variable or the secret with the key of a model, and says if it is not set or refused.
 * @returns undefined for none
 */
export async function chooseKey(context: Context, asker: Asker, model: ProbedAnswer): Promise<string | undefined> {
  const question = `Variable or secret with its key, or - for none${model.needsKey ? " (it asks for a key)" : ""}`
  const key = await asker.ask(question, "-", (answer) => evaluationDrafts.readKey(answer, model))
  if (key === undefined || !evaluationDrafts.isVariable(key)) return key
  const value = context.env[key] ?? ""
  if (value === "") {
    await asker.say(`${key} is not set in this shell: set it before you run the file.`)
    return key
  }
  // The user named the host and the variable just now.
  const { fault } = await probeModel(context, { ...model, key: value })
  if (fault !== undefined) await asker.say(fault)
  return key
}
