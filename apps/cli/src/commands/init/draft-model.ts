import { existsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type { Context } from "../../context.ts"
import type { Asker } from "./ask.ts"
import { type EvaluationDraft, evaluationDrafts, type Proposal } from "@assay/evaluation-files"
import { chooseKey, FAKE_WORD, noteUnanswering, readAnsweringModel } from "./choose-model.ts"
import type { ChosenRows } from "./choose-rows.ts"
import type { InitOptions } from "./init.ts"
import { FAKE_PORT, type FakeEndpoint, fakeUrl, startFake } from "./start-fake.ts"

/** The answers that a draft is made of. */
export interface DraftContext {
  readonly options: InitOptions
  readonly rows: ChosenRows
  /** Absolute path of the file. */
  readonly out: string
  readonly context: Context
  readonly asker: Asker
  /** Ends a fake endpoint at the end of the command. */
  readonly held: AsyncDisposableStack
}

/** The part of a draft about what is asked. */
export interface DraftedModel extends Pick<EvaluationDraft, "model" | "output" | "prompt" | "note"> {
  /** The fake endpoint that is asked. Undefined: a model is, or none. */
  readonly fake?: Pick<FakeEndpoint, "url" | "isOwn"> | undefined
}

/** Chooses what is asked: a model with a prompt, or the answers that rows have. */
export async function draftModel(given: DraftContext, proposal: Proposal): Promise<DraftedModel> {
  const { options, rows, context, asker } = given
  const { columns } = rows
  if (options.output !== undefined) {
    evaluationDrafts.checkTemplate(options.output, columns)
    return { output: options.output }
  }
  const question = `Model as URL#NAME, ${FAKE_WORD} for the built-in endpoint without a model, or - for answers that the rows have`
  const read = async (answer: string) => {
    if (answer === "-" || answer === FAKE_WORD) return answer
    return readAnsweringModel(context, asker, answer)
  }
  const chosen =
    options.model === undefined
      ? await asker.ask(question, proposal.output === undefined ? FAKE_WORD : "-", read)
      : options.model === FAKE_WORD
        ? FAKE_WORD
        : { ...evaluationDrafts.readModel(options.model), needsKey: false }
  if (chosen === "-") {
    const column = await asker.ask("Column with the answers", proposal.output ?? "", (answer) =>
      evaluationDrafts.readColumn(answer, columns),
    )
    return { output: evaluationDrafts.templateOf(column) }
  }
  if (typeof chosen === "string") return fakeModel(given, proposal)
  const key =
    options.key === undefined ? await chooseKey(context, asker, chosen) : evaluationDrafts.readKey(options.key, chosen)
  if (options.model !== undefined) await noteUnanswering(context, options, { ...chosen, key })
  const { url, name } = chosen
  return {
    model: key === undefined ? `${url}#${name}` : { url, model: name, key },
    ...(await draftPrompt(given, proposal)),
  }
}

/** Drafts the fake endpoint, and starts it if somebody may run the file. */
async function fakeModel(given: DraftContext, proposal: Proposal): Promise<DraftedModel> {
  const { options, context, asker, held } = given
  const mayRun = asker.isInteractive || options.run === true
  const fake = mayRun ? held.use(await startFake(context)) : { url: fakeUrl(), isOwn: true }
  const note = `No model yet: this is the fake endpoint, which repeats the prompt. \`assay fake-endpoint${portOption(fake.url)}\` starts it. Write URL#NAME of yours, then add a gate, such as \`gates: [contains >= 0.5]\`.`
  return { model: `${fake.url}#echo`, note, fake, ...(await draftPrompt(given, proposal)) }
}

/** Returns the option of `assay fake-endpoint` that gives it this address. */
export function portOption(url: string): string {
  const { port = "" } = URL.parse(url) ?? {}
  return port === String(FAKE_PORT) ? "" : ` --port ${port}`
}

function folderOf(out: string): Parameters<typeof evaluationDrafts.checkPrompt>[2] {
  const folder = dirname(out)
  return { name: folder, hasFile: (path) => existsSync(resolve(folder, path)) }
}

async function draftPrompt(given: DraftContext, { question }: Proposal): Promise<Pick<DraftedModel, "prompt">> {
  const { options, rows, out, asker } = given
  const read = (answer: string) => {
    if (answer !== "") evaluationDrafts.checkPrompt(answer, rows.columns, folderOf(out))
    return answer
  }
  const proposed = question === undefined ? "" : evaluationDrafts.templateOf(question)
  const prompt =
    options.prompt === undefined
      ? await asker.ask("Prompt, with columns in braces, or a file such as ./prompt.txt", proposed, read)
      : read(options.prompt)
  // Rows with messages or prompts are sent as they are.
  return prompt === "" || ["{{ messages }}", "{{ prompt }}"].includes(prompt) ? {} : { prompt }
}
